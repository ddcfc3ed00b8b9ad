// SPDX-License-Identifier: Apache-2.0
#include "device/processor/isa.hpp"

#include <gtest/gtest.h>

#include <array>

#include "core/error.hpp"

namespace aureole::device {
namespace {

constexpr std::array all{Isa::sse4, Isa::avx2, Isa::avx512};
constexpr core::Processor old{.sse4 = true};
constexpr core::Processor usual{.sse4 = true, .avx2 = true};

TEST(InstructionSets, TheHighestThatTheProcessorHasIsChosen) {
    EXPECT_EQ(choose_isa(all, old, ""), Isa::sse4);
    EXPECT_EQ(choose_isa(all, usual, ""), Isa::avx2);
    EXPECT_EQ(choose_isa(std::array{Isa::sse4, Isa::avx512}, usual, ""), Isa::sse4);
}

TEST(InstructionSets, TheOneAskedForIsChosen) {
    EXPECT_EQ(choose_isa(all, usual, "sse4"), Isa::sse4);
    EXPECT_THROW(choose_isa(all, usual, "avx512"), core::InputError);
    EXPECT_THROW(choose_isa(std::array{Isa::avx2}, usual, "sse4"), core::InputError);
}

std::string refusal(std::span<const Isa> compiled, const core::Processor& processor) {
    try {
        choose_isa(compiled, processor, "");
    } catch (const core::InputError& error) {
        return error.what();
    }
    return "";
}

TEST(InstructionSets, ABuildForAnotherProcessorSaysWhichItHas) {
    const auto words = refusal(std::array{Isa::avx512}, usual);
    EXPECT_NE(words.find("avx512"), std::string::npos) << words;
    EXPECT_NE(words.find("AUREOLE_ISAS=all"), std::string::npos) << words;
    EXPECT_NE(refusal(all, {}), "");
}

TEST(InstructionSets, TheOneInUseIsOneOfTheBuild) {
    const auto compiled = compiled_isas();
    ASSERT_FALSE(compiled.empty());
    for (std::size_t k = 0; k < compiled.size(); ++k) EXPECT_EQ(index_of(compiled[k]), k);
    EXPECT_LT(index_of(isa_in_use()), compiled.size());
    EXPECT_TRUE(processor_has(isa_in_use()));
}

}  // namespace
}  // namespace aureole::device
