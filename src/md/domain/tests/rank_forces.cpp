// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "md/domain/tests/rig.hpp"

// One simulation on several ranks, which are threads here: its forces, energies and virials are
// those of one rank, and so are its first steps.
namespace aureole::md::testing {
namespace {

constexpr double r_cut = 2.5;

MotionSpec motion() {
    MotionSpec spec;
    spec.dt = 0.002;
    return spec;
}

/// So wide that no list misses a pair, with a migration every few steps.
ListSpec wide() {
    ListSpec list;
    list.exact = false, list.buffer = 0.5;
    list.inner_lifetime = 4, list.outer_lifetime = 12;
    return list;
}

/// Results of a run, particles in the order of their tags.
struct Outcome {
    EnergyVirial start, end;
    MotionSums motion;
    std::vector<Vec3d> force, position, velocity;
    std::int64_t searches = 0;
};

constexpr Vec3d nowhere{NAN, NAN, NAN};

template <class T>
void run(RankRig<T>& rig, std::int64_t steps, std::int64_t n_total, Outcome& out,
         std::mutex& lock) {
    rig.engine->prepare();
    const auto start = rig.engine->potential().total;
    const auto put = [&](std::vector<Vec3d>& to, const std::vector<Vec3d>& local) {
        const std::lock_guard guard(lock);
        const auto tag = download_tags(rig.queue, rig.system.particles);
        to.resize(static_cast<std::size_t>(n_total), nowhere);
        ASSERT_EQ(local.size(), tag.size());
        for (std::size_t i = 0; i < tag.size(); ++i) {
            auto& one = to[static_cast<std::size_t>(tag[i])];
            EXPECT_TRUE(std::isnan(one.x)) << "two ranks own particle " << tag[i];
            one = local[i];
        }
    };
    put(out.force, download_forces(rig.queue, *rig.engine, rig.system.particles.n));
    rig.engine->advance(steps);
    rig.engine->close_steps();
    const auto end = rig.engine->potential().total;
    const auto motion = rig.engine->motion_sums();
    put(out.position, download(rig.queue, rig.system.particles.position));
    put(out.velocity, download(rig.queue, rig.system.particles.velocity));
    const std::lock_guard guard(lock);
    out.start = start, out.end = end, out.motion = motion;
    out.searches = rig.engine->statistics().searches;
}

struct OnGrid {
    const char* name;
    Start (*start)();
    core::Vec3i ranks;
    int threads = 1;
};
void PrintTo(const OnGrid& g, std::ostream* out) { *out << g.name; }

template <class T>
Outcome on_one_rank(const Start& start, std::int64_t steps, Lists lists) {
    RankRig<T> rig(start, r_cut, motion(), wide(), 1, nullptr, {1, 1, 1}, lists);
    Outcome out;
    std::mutex lock;
    run(rig, steps, rig.system.particles.n, out, lock);
    return out;
}

template <class T>
Outcome on_ranks(const OnGrid& given, const Start& start, std::int64_t steps, Lists lists) {
    Outcome out;
    std::mutex lock;
    const auto& ranks = given.ranks;
    // In hostile mode lanes of flat lists are threads, which are slow.
    const int threads = lists == Lists::flat && hostile_environment() ? 1 : given.threads;
    const auto n = static_cast<std::int64_t>(start.particles.position.size());
    comm::World::of_threads(ranks.x * ranks.y * ranks.z, [&](comm::World& world) {
        RankRig<T> rig(start, r_cut, motion(), wide(), threads, &world, ranks, lists);
        run(rig, steps, n, out, lock);
    });
    return out;
}

double rms(const std::vector<Vec3d>& a) {
    double sum = 0;
    for (const auto& one : a) sum += dot(one, one);
    return std::sqrt(sum / static_cast<double>(a.size()));
}
double rms_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i] - b[i], a[i] - b[i]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

class Ranks : public ::testing::TestWithParam<OnGrid> {};

template <class T>
void expect_the_same(const OnGrid& given, double tolerance, Lists lists) {
    const std::int64_t steps = lists == Lists::flat || core::sanitized ? 30 : 60;
    const auto start = given.start();
    // A sanitizer watches what ranks do; where they end is compared without one.
    const auto one = on_one_rank<T>(start, core::sanitized ? 0 : steps, lists);
    const auto many = on_ranks<T>(given, start, steps, lists);
    EXPECT_NEAR(many.start.energy, one.start.energy, tolerance * std::abs(one.start.energy));
    EXPECT_NEAR(many.start.virial.trace(), one.start.virial.trace(),
                10 * tolerance * std::abs(one.start.energy));
    EXPECT_LT(rms_difference(many.force, one.force), tolerance * rms(one.force));
    EXPECT_GT(many.searches, 2);
    if (core::sanitized) return;
    EXPECT_NEAR(many.end.energy, one.end.energy, 1e3 * tolerance * std::abs(one.end.energy));
    EXPECT_NEAR(many.motion.twice_kinetic.trace(), one.motion.twice_kinetic.trace(),
                1e3 * tolerance * one.motion.twice_kinetic.trace());
    EXPECT_LT(rms_difference(many.velocity, one.velocity), 1e3 * tolerance * rms(one.velocity));
}

/// In both precisions; a sanitizer watches the code that they share once.
void expect_the_same(const OnGrid& given, Lists lists) {
    if (!core::sanitized) expect_the_same<double>(given, 1e-12, lists);
    expect_the_same<float>(given, 5e-6, lists);
}

TEST_P(Ranks, HaveTheForcesOfOne) { expect_the_same(GetParam(), Lists::clusters); }
TEST_P(Ranks, HaveTheForcesOfOneByFlatLists) { expect_the_same(GetParam(), Lists::flat); }

void expect_the_same_bits(const OnGrid& given, Lists lists) {
    const std::int64_t steps = lists == Lists::flat || core::sanitized ? 20 : 40;
    const auto start = given.start();
    const auto first = on_ranks<float>(given, start, steps, lists);
    const auto again = on_ranks<float>(given, start, steps, lists);
    EXPECT_EQ(first.position, again.position);
    EXPECT_EQ(first.velocity, again.velocity);
    EXPECT_EQ(first.end.energy, again.end.energy);
}

TEST_P(Ranks, RepeatToTheBit) { expect_the_same_bits(GetParam(), Lists::clusters); }
TEST_P(Ranks, RepeatToTheBitByFlatLists) { expect_the_same_bits(GetParam(), Lists::flat); }

/// Four ranks along an axis have cells little wider than a halo.
Start cube() { return fcc(8, 0.8, 0.08, 1.5, 5, 2); }
Start tilted() { return liquid({18, 17, 18.5, 0.2, -0.15, 0.25}, 2400, 0.85, 1.2, 6, 3); }
/// A droplet that leaves most of the box, and some ranks, empty.
Start droplet() {
    auto start = fcc(5, 0.8, 0.05, 0.4, 7);
    start.box = {30, 30, 30};
    return start;
}

/// Two blocks in cells that share an edge, of two types: their pairs are found on the rank whose
/// cell lies between, which has no particle of its own.
Start two_corners() {
    Start start;
    start.box = {16, 16, 16};
    for (int x = 0; x < 3; ++x)
        for (int y = 0; y < 3; ++y)
            for (int z = 0; z < 6; ++z) {
                const double along = 1.1 * z - 3;
                start.particles.position.emplace_back(0.4 + 1.1 * x, -0.4 - 1.1 * y, along);
                start.particles.position.emplace_back(-0.4 - 1.1 * x, 0.4 + 1.1 * y, along);
            }
    complete(start, 0.3, 9, 2);
    return start;
}

INSTANTIATE_TEST_SUITE_P(Grids, Ranks,
                         ::testing::Values(OnGrid{"two_along_x", cube, {2, 1, 1}},
                                           OnGrid{"two_along_y", cube, {1, 2, 1}},
                                           OnGrid{"two_along_z", cube, {1, 1, 2}, 2},
                                           OnGrid{"four_along_z", cube, {1, 1, 4}},
                                           OnGrid{"three_by_two", cube, {3, 2, 1}},
                                           OnGrid{"two_by_two", cube, {2, 2, 1}, 2},
                                           OnGrid{"eight", cube, {2, 2, 2}},
                                           OnGrid{"twenty_seven", cube, {3, 3, 3}},
                                           OnGrid{"eight_in_a_tilted_box", tilted, {2, 2, 2}},
                                           OnGrid{"two_corners", two_corners, {2, 2, 1}},
                                           OnGrid{"droplet_on_eight", droplet, {2, 2, 2}},
                                           OnGrid{"droplet_on_five", droplet, {1, 1, 5}}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace aureole::md::testing
