// SPDX-License-Identifier: Apache-2.0
#include "fft/sizes.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "fft/spectrum.hpp"

namespace aureole::fft {
namespace {

TEST(FftSizes, RadicesMultiplyToTheSize) {
    for (int n = 2; n < 2000; ++n) {
        const auto r = radices(n);
        ASSERT_EQ(std::accumulate(r.begin(), r.end(), 1, std::multiplies<>()), n);
    }
    EXPECT_EQ(radices(44), (std::vector<int>{11, 4}));
    EXPECT_EQ(radices(2 * 17), (std::vector<int>{17, 2}));
}

TEST(FftSizes, FastOnesHaveSmallFactors) {
    for (const int n : {2, 32, 44, 60, 72, 96, 2 * 3 * 5 * 7 * 11 * 13}) EXPECT_TRUE(fast_size(n));
    for (const int n : {0, -4, 17, 34, 19 * 4}) EXPECT_FALSE(fast_size(n));
}

// What `gmx grompp` 2022.5 writes for cubic boxes ("Using a fourier grid of …").
TEST(FftSizes, AreTheOnesOfGromacs) {
    const std::pair<int, int> of[] = {{1, 6},   {7, 8},    {23, 24},   {25, 25},   {26, 28},
                                      {37, 40}, {42, 42},  {45, 48},   {49, 52},   {53, 56},
                                      {57, 60}, {61, 64},  {65, 72},   {73, 80},   {81, 84},
                                      {85, 96}, {97, 100}, {109, 112}, {121, 128}, {137, 144}};
    for (const auto& [least, n] : of) EXPECT_EQ(gromacs_size(least), n) << least;
    EXPECT_EQ(gromacs_size(4.9, 0.12), 42);
    // DHFR's edge of 6.2 nm, on hosts and on GPUs.
    EXPECT_EQ(gromacs_size(6.2, 0.12), 52);
    EXPECT_EQ(gromacs_size(6.2, 0.12, 1, 7), 56);
    EXPECT_EQ(gromacs_size(5.2, 0.12, 1, 7), 48);
    EXPECT_EQ(gromacs_size(0.5, 0.12, 6, 7), 6);
    for (int n = 1; n < 3000; ++n) {
        EXPECT_GE(gromacs_size(n), n);
        EXPECT_TRUE(fast_size(gromacs_size(n)));
    }
}

TEST(FftSizes, LayoutsCountEveryModeOnce) {
    for (const int lanes : {0, 1, 4, 8, 16})
        for (const GridSize n : {GridSize{6, 5, 4}, GridSize{5, 18, 7}, GridSize{2, 3, 2}}) {
            const SpectrumLayout layout{n, lanes};
            double modes = 0;
            for (std::int64_t i = 0; i < layout.size(); ++i) {
                const Mode k = layout.mode(i);
                modes += k.weight;
                EXPECT_LE(2 * std::abs(k.x), n.x);
                EXPECT_LE(2 * std::abs(k.y), n.y);
                EXPECT_LE(2 * std::abs(k.z), n.z);
            }
            EXPECT_EQ(modes, n.points());
        }
}

}  // namespace
}  // namespace aureole::fft
