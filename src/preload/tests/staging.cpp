// SPDX-License-Identifier: Apache-2.0
// Staged buffers with a driver whose device memory is memory of the test.
#include "preload/staging.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "preload/tests/plain_driver.hpp"

namespace aureole::preload {
namespace {

/// n elements of 4 bytes each 12 bytes, so that 8 bytes are gaps.
std::shared_ptr<Datatype> strided() {
    auto type = std::make_shared<Datatype>();
    type->layout = Layout(4);
    type->size = 4, type->extent = 12, type->is_dense = false;
    return type;
}

std::vector<unsigned char> numbers(std::size_t n) {
    std::vector<unsigned char> all(n);
    std::iota(all.begin(), all.end(), static_cast<unsigned char>(1));
    return all;
}

class StagedForms : public testing::TestWithParam<Staged::Form> {};

TEST_P(StagedForms, TouchNoByteBesidesThoseThatCame) {
    static PlainDriver driver;
    const auto before = numbers(120);
    for (std::int64_t came = 0; came <= 40; ++came) {
        auto buffer = before;
        Staged staged(buffer.data(), driver.at(), {{strided(), 10, 0, 0}}, GetParam());
        auto* const host = static_cast<unsigned char*>(staged.host());
        const bool is_dense = GetParam() == Staged::Form::dense;
        for (int k = 0; k < 40; ++k)
            host[is_dense ? k : k / 4 * 12 + k % 4] = static_cast<unsigned char>(200 + k % 50);
        staged.store(came);
        auto expected = before;
        for (int k = 0; k < came; ++k)
            expected[static_cast<std::size_t>(k / 4 * 12 + k % 4)] =
                static_cast<unsigned char>(200 + k % 50);
        ASSERT_EQ(buffer, expected) << came << " bytes came";
    }
}

TEST_P(StagedForms, LoadWithOneCopyAndOneWait) {
    static PlainDriver driver;
    auto buffer = numbers(120);
    Staged staged(buffer.data(), driver.at(), {{strided(), 10, 0, 0}}, GetParam());
    driver.copies = driver.waits = 0;
    staged.load();
    EXPECT_EQ(driver.copies, 1);
    EXPECT_EQ(driver.waits, 1);
    const auto* const host = static_cast<unsigned char*>(staged.host());
    const bool is_dense = GetParam() == Staged::Form::dense;
    for (int k = 0; k < 40; ++k)
        ASSERT_EQ(host[is_dense ? k : k / 4 * 12 + k % 4], k / 4 * 12 + k % 4 + 1);
}

INSTANTIATE_TEST_SUITE_P(Forms, StagedForms,
                         testing::Values(Staged::Form::dense, Staged::Form::mirrored));

TEST(StagedBlocks, AreCopiedToTheirOffsets) {
    static PlainDriver driver;
    auto buffer = numbers(100);
    auto bytes = std::make_shared<Datatype>();
    bytes->layout = Layout(1);
    bytes->size = bytes->extent = 1, bytes->is_dense = true;
    Staged staged(buffer.data(), driver.at(), {{bytes, 5, 90, 0}, {bytes, 7, 3, 5}},
                  Staged::Form::dense);
    staged.load();
    const auto* const host = static_cast<unsigned char*>(staged.host());
    for (int k = 0; k < 5; ++k) EXPECT_EQ(host[k], 91 + k);
    for (int k = 0; k < 7; ++k) EXPECT_EQ(host[5 + k], 4 + k);
    std::memset(staged.host(), 0, 12);
    staged.store_blocks(4, 3);  // the last byte of the first block, two of the second
    auto expected = numbers(100);
    expected[94] = expected[3] = expected[4] = 0;
    EXPECT_EQ(buffer, expected);
}

}  // namespace
}  // namespace aureole::preload
