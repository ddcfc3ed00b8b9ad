// SPDX-License-Identifier: Apache-2.0
#include "md/list_plan/list_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

// What is assumed about displacements beside distributions that are known.
namespace aureole::md::testing {
namespace {

constexpr double kT = 2.5, mass = 18, time_of_list = 0.02;

/// Particles of one mass, of which each has its own temperature.
class Cloud {
  public:
    Cloud(int n, std::uint64_t seed) : hotter_(static_cast<std::size_t>(n), 1), random_(seed) {
        watch_.begin(mass);
        watch_.count(counts(false));
        watch_.begin_list({});
    }
    /// Makes a part of the particles hotter.
    void heat(double part, double factor) {
        const auto n = static_cast<std::size_t>(part * static_cast<double>(hotter_.size()));
        for (std::size_t i = 0; i < n; ++i) hotter_[i] = factor;
    }
    /// Free flights with fresh velocities.
    MotionCounts counts(bool assumed) {
        const auto scale = watch_.scale(kT, time_of_list, assumed);
        MotionCounts counts;
        for (const double factor : hotter_) {
            const double width = std::sqrt(factor * kT / mass) * time_of_list;
            const core::Vec3d d{width * normal_(random_), width * normal_(random_),
                                width * normal_(random_)};
            ++counts.at[0][scale.level(scale.weighted(d, mass), 0)];
        }
        return counts;
    }
    ListWatch& watch() { return watch_; }
    double excess() const { return watch_.excess(mass, mass, false); }

  private:
    std::vector<double> hotter_;
    std::mt19937_64 random_;
    std::normal_distribution<double> normal_;
    ListWatch watch_;
};

TEST(ListWatch, LeavesWhatMovesAsAssumed) {
    for (const int n : {30, 216, 5000, 100'000}) {
        Cloud cloud(n, static_cast<std::uint64_t>(n));
        int raised = 0;
        for (int k = 0; k < (n > 10'000 ? 30 : 300); ++k)
            raised += cloud.watch().see(cloud.counts(true));
        EXPECT_LE(raised, 1) << n;
        EXPECT_LT(cloud.excess(), 1.5) << n;
    }
}

TEST(ListWatch, FindsAHotterSystem) {
    for (const int n : {216, 5000, 100'000})
        for (const double factor : {2.0, 30.0, 1e5}) {
            Cloud cloud(n, 7);
            cloud.heat(1, factor);
            for (int k = 0; k < 8; ++k) cloud.watch().see(cloud.counts(true));
            EXPECT_GT(cloud.excess(), (n < 1000 ? 0.7 : 0.85) * factor) << n;
            EXPECT_LT(cloud.excess(), 1.7 * factor) << n;
        }
}

/// The far particles among a few hot ones are what counts: they are at least as rare as assumed.
TEST(ListWatch, FindsAHotPart) {
    Cloud cloud(20'000, 3);
    cloud.heat(0.02, 50);
    for (int k = 0; k < 8; ++k) cloud.watch().see(cloud.counts(true));
    EXPECT_GT(cloud.excess(), 20);
    EXPECT_LT(cloud.excess(), 80);
}

TEST(ListWatch, FindsOneThatIsVeryFast) {
    Cloud cloud(5000, 3);
    cloud.heat(1.0 / 5000, 1e4);
    cloud.watch().see(cloud.counts(true));
    EXPECT_GT(cloud.excess(), 10);
}

TEST(ListWatch, ForgetsWhatIsOver) {
    Cloud cloud(5000, 5);
    cloud.heat(1, 20);
    cloud.watch().see(cloud.counts(true));
    cloud.heat(1, 1);
    for (int k = 0; k < 12; ++k) {
        cloud.watch().list_was_kept(100);
        cloud.watch().see(cloud.counts(true));
        cloud.watch().begin_list({});
    }
    EXPECT_LT(cloud.excess(), 1.3);
}

/// A flow of the whole is none that brings pairs together.
TEST(ListWatch, TakesTheWholesVelocityOff) {
    Cloud cloud(500, 5);
    const core::Vec3d flow{30, -20, 5};
    cloud.watch().begin_list(flow);
    const auto scale = cloud.watch().scale(kT, time_of_list, true);
    EXPECT_EQ(scale.level(scale.weighted(time_of_list * flow, mass), 0), 0);
    EXPECT_GT(scale.level(scale.weighted({}, mass), 0), 10);
}

TEST(ListWatch, KeepsMassesApart) {
    EXPECT_EQ(mass_class(1.008, 1.008), 0);
    EXPECT_EQ(mass_class(2.016, 1.008), 1);
    EXPECT_EQ(mass_class(15.9994, 1.008), 3);
    EXPECT_EQ(mass_class(1e9, 1.008), mass_classes - 1);
    ListWatch watch;
    EXPECT_EQ(watch.excess(5, 5, false), 1);
    watch.begin(1);
    MotionCounts counts;
    counts.at[0][0] = counts.at[4][0] = 1000;
    watch.count(counts);
    counts.at[4][9] = 1000;
    EXPECT_TRUE(watch.see(counts));
    EXPECT_EQ(watch.excess(1, 1, false), 1);
    EXPECT_EQ(watch.excess(16, 16, true), 1);
    const double excess = watch.excess(16, 16, false);
    EXPECT_GT(excess, 10);
    // Masses that count as one may be on both sides of a border of classes.
    EXPECT_EQ(watch.excess(15.98, 16.01, false), excess);
    EXPECT_EQ(watch.excess(31.9, 32.1, false), excess);
    EXPECT_DOUBLE_EQ(watch.fastest(), std::sqrt(std::max(1.0, excess / 16)));
}

/// Fast ions count beside ions, not beside all.
TEST(ListWatch, KeepsChargesApart) {
    EXPECT_EQ(motion_class(16, 1, true), motion_class(16, 1, false) + mass_classes);
    double excess[2];
    for (const bool apart : {false, true}) {
        ListWatch watch;
        watch.begin(1);
        MotionCounts counts;
        const int ions = motion_class(16, 1, apart), others = motion_class(16, 1, false);
        counts.at[ions][0] += 64, counts.at[others][0] += 16'000;
        watch.count(counts);
        MotionCounts far;
        far.at[ions][10] = 64;
        watch.see(far);
        excess[apart] = watch.excess(16, 16, apart);
    }
    EXPECT_GT(excess[1], 4 * excess[0]);
}

}  // namespace
}  // namespace aureole::md::testing
