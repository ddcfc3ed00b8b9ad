// SPDX-License-Identifier: Apache-2.0
#include "comm/failure.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/error.hpp"

namespace aureole::comm {
namespace {

/// Expects that other ranks throw the same class and text if one fails by this error.
template <class Error>
void expect_same(const Error& error) {
    const auto told = std::make_unique<Failure>();
    told->describe(error);
    try {
        told->raise();
    } catch (const Error& again) {
        EXPECT_STREQ(again.what(), error.what());
    }
}

TEST(Failure, KeepsClassAndText) {
    expect_same(core::InputError("no box", "its edges are zero", "Give three lengths."));
    expect_same(core::FileError("state.cpt: cannot be written", "disk full", "Free space."));
    expect_same(core::DeviceError("no memory"));
    expect_same(core::RankError("rank 3 is stopped"));
}

TEST(Failure, KeepsWhatABlowUpKnows) {
    const auto told = std::make_unique<Failure>();
    told->describe(core::BlowUpError("blew up", "at step 7", "Shorten dt.",
                                     {7, std::int64_t{1} << 40, 3, "harmonic_bond", 1e30}));
    try {
        told->raise();
    } catch (const core::BlowUpError& error) {
        EXPECT_STREQ(error.what(), "blew up (at step 7). Shorten dt.");
        EXPECT_EQ(error.what_happened.step, 7);
        EXPECT_EQ(error.what_happened.tag, std::int64_t{1} << 40);
        EXPECT_EQ(error.what_happened.partner, 3);
        EXPECT_EQ(error.what_happened.force, "harmonic_bond");
        EXPECT_EQ(error.what_happened.value, 1e30);
    }
}

TEST(Failure, CutsLongTextsBetweenCharacters) {
    const auto told = std::make_unique<Failure>();
    for (std::size_t before = 0; before < 4; ++before) {
        std::string text(before, 'x');
        while (text.size() < 5000) text += "\xC3\xA5";  // å
        told->describe(core::RankError(text));
        const std::string kept = told->text;
        EXPECT_GE(kept.size(), Failure::text_bytes - 2);
        EXPECT_EQ(kept, text.substr(0, kept.size()));
        EXPECT_EQ((kept.size() - before) % 2, 0u);
    }
}

TEST(Failure, OfAnyOtherClassIsOneOfRanks) {
    const auto told = std::make_unique<Failure>();
    told->describe(std::logic_error("impossible"));
    EXPECT_THROW(told->raise(), core::RankError);
}

}  // namespace
}  // namespace aureole::comm
