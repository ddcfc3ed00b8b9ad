// SPDX-License-Identifier: Apache-2.0
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <set>
#include <vector>

namespace aureole::core {
namespace {

constexpr int many = 40000;

TEST(Random, NormalNumbersHaveTheirMoments) {
    double sum[3] = {}, square[3] = {}, fourth = 0, mixed = 0;
    for (std::uint32_t id = 0; id < many; ++id) {
        const auto v = Random(5, Stream::langevin, 17, id).normal3();
        const double a[3] = {v.x, v.y, v.z};
        for (int k = 0; k < 3; ++k) sum[k] += a[k], square[k] += a[k] * a[k];
        fourth += v.x * v.x * v.x * v.x;
        mixed += v.x * v.y + v.y * v.z + v.x * v.z;
    }
    // five standard errors: variances of x, x², x⁴ are 1, 2, 96
    const double error = 5 / std::sqrt(double(many));
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(sum[k] / many, 0, error);
        EXPECT_NEAR(square[k] / many, 1, error * std::sqrt(2.0));
    }
    EXPECT_NEAR(fourth / many, 3, error * std::sqrt(96.0));
    EXPECT_NEAR(mixed / many, 0, error * std::sqrt(3.0));
}

TEST(Random, UniformNumbersFillTheOpenInterval) {
    std::vector<int> bins(20);
    double sum = 0;
    Random random(9, Stream::placement, 0, 0);
    for (int k = 0; k < many; ++k) {
        const double u = random.uniform();
        ASSERT_GT(u, 0);
        ASSERT_LT(u, 1);
        ++bins[static_cast<std::size_t>(20 * u)];
        sum += u;
    }
    EXPECT_NEAR(sum / many, 0.5, 5 / std::sqrt(12.0 * many));
    double chi2 = 0;
    for (const int count : bins) chi2 += (count - many / 20.0) * (count - many / 20.0) * 20 / many;
    EXPECT_LT(chi2, 50);  // 19 degrees of freedom: beyond 50 once in 10⁴
}

TEST(Random, ExtremeWordsStayInside) {
    EXPECT_GT(Random::uniform(std::uint32_t{0}), 0);
    EXPECT_LT(Random::uniform(~std::uint32_t{0}), 1);
}

TEST(Random, DependsOnNothingButItsName) {
    const auto draw = [](std::uint32_t id) { return Random(3, Stream::langevin, 8, id).normal3(); };
    const auto first = draw(1), second = draw(2);
    EXPECT_EQ(draw(2), second);  // in the other order
    EXPECT_EQ(draw(1), first);
}

TEST(Random, EveryPartOfTheNameCounts) {
    std::set<double> seen;
    for (const std::uint64_t seed : {1ull, 2ull, 1ull << 40})
        for (const auto stream : {Stream::velocities, Stream::langevin, Stream::bussi})
            for (const std::uint64_t step : {0ull, 1ull, 1ull << 33})
                for (const std::uint64_t id : {0ull, 1ull, 1ull << 31, 1ull << 32, 1ull << 39})
                    seen.insert(Random(seed, stream, step, id).normal());
    EXPECT_EQ(seen.size(), 135u);
}

TEST(Random, NormalNumbersAreThoseOfTheLibrarysFunctions) {
    std::mt19937_64 any(3);
    const auto expect_near = [](const double(&u)[4]) {
        const auto v = normal_vector(u);
        const double two_pi = 2 * std::numbers::pi;
        const double r1 = std::sqrt(-2 * std::log(u[0])), r2 = std::sqrt(-2 * std::log(u[2]));
        EXPECT_NEAR(v.x, r1 * std::cos(two_pi * u[1]), 1e-14);
        EXPECT_NEAR(v.y, r1 * std::sin(two_pi * u[1]), 1e-14);
        EXPECT_NEAR(v.z, r2 * std::cos(two_pi * u[3]), 1e-14);
    };
    for (int k = 0; k < many; ++k) {
        const auto word = [&] { return Random::uniform(static_cast<std::uint32_t>(any())); };
        expect_near({word(), word(), word(), word()});
    }
    const std::uint32_t edges[] = {0,          1,          0x1FFFFFFF, 0x20000000, 0x3FFFFFFF,
                                   0x40000000, 0x7FFFFFFF, 0x80000000, 0xB504F333, 0xFFFFFFFF};
    for (const auto a : edges)
        for (const auto b : edges)
            expect_near(
                {Random::uniform(a), Random::uniform(b), Random::uniform(b), Random::uniform(a)});
}

TEST(Random, NeighboursAreNotCorrelated) {
    double steps = 0, particles = 0;
    for (std::uint32_t k = 0; k < many; ++k) {
        const double a = Random(1, Stream::langevin, k, 0).normal();
        steps += a * Random(1, Stream::langevin, k + 1, 0).normal();
        particles += a * Random(1, Stream::langevin, k, 1).normal();
    }
    const double error = 5 / std::sqrt(double(many));
    EXPECT_NEAR(steps / many, 0, error);
    EXPECT_NEAR(particles / many, 0, error);
}

TEST(Random, NumbersOfSmallTagsAreThoseThatTrajectoriesWereMadeWith) {
    // The counter of a tag below 2³² is {tag, step, step >> 32, stream << 16}, as it always was.
    const std::uint64_t seed = 0x123456789ABCDEFu, step = (7ull << 32) + 5;
    const std::uint32_t tag = 0xFEDCBA98u;
    const auto want = r123::Philox4x32{}({{tag, 5, 7, 2u << 16}}, {{0x89ABCDEFu, 0x01234567u}});
    EXPECT_EQ(Random(seed, Stream::langevin, step, tag).words(), want);
}

TEST(Random, FollowsThePublishedAnswer) {
    // Random123's own known-answer test of Philox4x32-10 for a counter and key of zeros.
    const auto words = r123::Philox4x32{}({{0, 0, 0, 0}}, {{0, 0}});
    EXPECT_EQ(words[0], 0x6627e8d5u);
    EXPECT_EQ(words[1], 0xe169c58du);
    EXPECT_EQ(words[2], 0xbc57ac4cu);
    EXPECT_EQ(words[3], 0x9b00dbd8u);
}

}  // namespace
}  // namespace aureole::core
