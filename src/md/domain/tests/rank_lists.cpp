// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "md/domain/tests/rig.hpp"
#include "md/pair/tests/all_pairs.hpp"

// Exact lists on several ranks miss no pair within the cut-off, in any step, however fast particles
// come: forces are those of all pairs. Limits are planned too short on purpose, so that lists
// expire, are extended, and halos are renewed all the time.
namespace aureole::md::testing {
namespace {

/// A cut-off where the force is steep: a missed pair is no rounding.
constexpr double r_cut = 1.8;

struct HotRanks {
    const char* name;
    std::function<Start()> start;
    MotionSpec motion;
    ListTuning tuning;
    core::Vec3i ranks;
    int threads = 1;
};
void PrintTo(const HotRanks& h, std::ostream* out) { *out << h.name; }

/// A cold crystal with a few particles that fly through it.
Start shot_through(int cells) {
    auto start = fcc(cells, 0.75, 0.02, 0.1);
    for (std::size_t i = 5; i < start.particles.velocity.size(); i += 97)
        start.particles.velocity[i] = 60.0 * start.particles.velocity[i];
    return start;
}

/// One fast particle that flies from the bottom of the last cell through an empty one to the
/// particles at the top of the first, none of which moves.
Start through_an_empty_cell() {
    Start start;
    start.box = {9, 8, 8};
    auto& position = start.particles.position;
    for (int y = 0; y < 6; ++y)
        for (int z = 0; z < 6; ++z)
            position.emplace_back(-1.6 - 0.01 * y, 1.3 * (y - 2.5), 1.3 * (z - 2.5));
    position.emplace_back(1.52, 0.1, 0.05);
    complete(start, 1e-6, 1, 1);
    start.particles.velocity.back() = {-100, 0, 0};
    return start;
}

std::vector<HotRanks> runs() {
    const ListTuning tight{0.02, 0.02, 6, 12}, hasty{0.0, 0.0, 3, 30}, usual{0.35, 0.7, 7, 20};
    // Parts of two ranks on an axis, and those of 27 that are shot through, have particles farther
    // than a cut-off from all their faces; the other parts have none.
    const auto hot = [](int cells) { return [=] { return fcc(cells, 0.75, 0.03, 4); }; };
    const auto shot = [](int cells) { return [=] { return shot_through(cells); }; };
    const auto tilted = [] { return liquid({9, 8, 8.5, 0.35, -0.2, 0.4}, 390, 0.92, 3); };
    const auto half_open = [] {
        core::Box box{9, 9, 10};
        box.periodic_z = false;
        return liquid(box, 400, 0.92, 3);
    };
    const ListTuning short_lived{0.2, 1, 1, 3};
    return {{"through_an_empty_cell", through_an_empty_cell, nve(0.002), short_lived, {3, 1, 1}},
            {"hot_on_two", hot(5), nve(0.003), usual, {1, 1, 2}, 2},
            {"hot_on_eight", hot(5), nve(0.003), hasty, {2, 2, 2}},
            {"hot_on_twenty_seven", hot(6), nve(0.002), tight, {3, 3, 3}},
            {"shot_on_two", shot(5), nve(0.002), usual, {2, 1, 1}},
            {"shot_on_eight", shot(5), nve(0.002), tight, {2, 2, 2}},
            {"shot_on_three", shot(6), nve(0.002), hasty, {1, 3, 1}, 2},
            {"shot_on_twenty_seven", shot(7), nve(0.002), usual, {3, 3, 3}},
            {"tilted_on_four", tilted, nve(0.003), tight, {2, 1, 2}},
            {"kicked_on_four", tilted, langevin(0.003, 4, 40), tight, {1, 2, 2}},
            {"open_on_two", half_open, nve(0.003), hasty, {1, 1, 2}}};
}

class RankLists : public ::testing::TestWithParam<HotRanks> {
  protected:
    template <class T>
    void run(Lists lists) {
        const auto& hot = GetParam();
        const auto start = hot.start();
        const auto n = start.particles.position.size();
        std::vector<Vec3d> position(n), force(n);
        const double rms = sizeof(T) == 4 ? 5e-5 : 1e-12, largest = 10 * rms;
        const std::int64_t total = steps(lists == Lists::flat ? 60 : 120);
        comm::World::of_threads(component_product(hot.ranks), [&](comm::World& world) {
            RankRig<T> rig(start, r_cut, hot.motion, {}, hot.threads, &world, hot.ranks, lists);
            rig.engine->set_tuning(hot.tuning);
            rig.engine->prepare();
            for (std::int64_t k = 0; k < total; ++k) {
                rig.engine->advance(1);
                put_by_tag(rig, kernel_coordinates<T>(rig.queue, rig.system.particles), position);
                put_by_tag(rig, download_forces(rig.queue, *rig.engine, rig.system.particles.n),
                           force);
                world.barrier();
                if (world.rank() == 0)
                    compare_with_all_pairs<T>(rig, start, position, force, rms, largest);
                world.barrier();
                if (HasFatalFailure()) return;
            }
            if (world.rank() == 0) {
                EXPECT_EQ(rig.engine->statistics().steps, total);
                if (total > 50) {
                    EXPECT_GE(rig.engine->statistics().searches, 3);
                }
            }
        });
    }

    static int component_product(const core::Vec3i& v) { return v.x * v.y * v.z; }

    template <class T>
    void compare_with_all_pairs(RankRig<T>& rig, const Start& start,
                                const std::vector<Vec3d>& position, const std::vector<Vec3d>& force,
                                double rms, double largest) {
        const auto& box = rig.system.box;
        // Lennard-Jones particles have no columns to read: any particles will do.
        const std::vector<ColumnsRead> columns{
            {rig.queue, rig.system.particles, rig.system.forces[0].potential()}};
        const auto want = all_pairs(
            start.particles.type, rig.system.forces, columns,
            [&](std::size_t i, std::size_t j) {
                return box.minimum_image(position[i] - position[j]);
            },
            2 * std::numeric_limits<T>::epsilon() * std::max({box.lx, box.ly, box.lz}));
        const auto error = compare(force, want);
        ASSERT_LE(error.rms, rms) << "at step " << rig.system.step;
        ASSERT_LE(error.largest, largest) << "at step " << rig.system.step;
    }
};

TEST_P(RankLists, MissNoPairInMixedPrecision) { run<float>(Lists::clusters); }
TEST_P(RankLists, MissNoPairInDoublePrecision) { run<double>(Lists::clusters); }
TEST_P(RankLists, FlatOnesMissNoPairInMixedPrecision) { run<float>(Lists::flat); }
TEST_P(RankLists, FlatOnesMissNoPairInDoublePrecision) { run<double>(Lists::flat); }

INSTANTIATE_TEST_SUITE_P(Hot, RankLists, ::testing::ValuesIn(runs()),
                         [](const auto& p) { return std::string(p.param.name); });

}  // namespace
}  // namespace aureole::md::testing
