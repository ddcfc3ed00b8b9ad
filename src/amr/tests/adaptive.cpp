// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "amr/hydro/leaves.hpp"
#include "amr/hydro/state.hpp"
#include "amr/simulation.hpp"
#include "amr/tests/problems.hpp"
#include "core/error.hpp"

// Meshes that follow the state.
namespace aureole::amr {
namespace {

using namespace testing;

constexpr int pressure = at::pressure;

/// A blast that moves to one side, where its shock is not along the axes.
State blast(Vec3d x, int dims) {
    double square = 0;
    for (int axis = 0; axis < dims; ++axis)
        square += (component(x, axis) - 0.45) * (component(x, axis) - 0.45);
    return {1, 0.3, dims > 1 ? 0.1 : 0, 0, square < 0.02 ? 10.0 : 0.1};
}

struct Way {
    const char* schedule = "pack";
    int threads = 1;
    std::string device = "host";
    std::uint64_t seed = 0;
};

std::unique_ptr<Simulation> simulate(int dims, const Scheme& scheme, Way way = {},
                                     Boundary boundary = Boundary::periodic, int most_level = 2) {
    const auto mesh = mesh_of(std::vector<int>(static_cast<std::size_t>(dims), 2), boundary);
    return std::make_unique<Simulation>(
        device::OpenOptions{.name = way.device, .threads = way.threads, .pin = false}, mesh, 1.4,
        scheme, Launching{way.schedule, {}, 0, way.seed},
        Refining{.criteria = {criterion("second_derivative", pressure, 0.5, 0.05)},
                 .most_level = most_level});
}

/// Sets a state on a mesh that is refined for it; returns how often it was.
int start(Simulation& sim, const std::function<State(Vec3d)>& state) {
    int rounds = 0;
    sim.reset_tree();
    do sim.set_leaves(on_leaves(sim.tree(), state));
    while (sim.refine() && ++rounds < 30);
    return rounds;
}

void start_blast(Simulation& sim) {
    const int dims = sim.mesh().dims;
    start(sim, [dims](Vec3d x) { return blast(x, dims); });
}

TEST(Adaptive, SubgridsAreFinerWhereTheStateBends) {
    for (int dims = 1; dims <= 3; ++dims) {
        auto sim = simulate(dims, plm);
        EXPECT_EQ(start(*sim, [dims](Vec3d x) { return blast(x, dims); }), 2);
        EXPECT_EQ(sim->tree().deepest_level(), 2);
        EXPECT_TRUE(sim->tree().is_balanced());
        EXPECT_LT(sim->tree().size(), std::int64_t{1} << 3 * dims);  // but not everywhere
        EXPECT_EQ(start(*sim, [](Vec3d) -> State { return {1, 0.2, 0, 0, 1}; }), 0);
    }
}

/// Löhner's estimate of a cell, by hand.
TEST(Adaptive, FlagsAreThoseOfTheCriteria) {
    const auto mesh = mesh_of({4, 4});
    const auto conserved_of = [&](const std::function<State(Vec3d)>& state) {
        Simulation sim({.name = "host", .threads = 1, .pin = false}, mesh, 1.4, plm);
        sim.set_leaves(on_leaves(sim.tree(), state));
        return std::pair(sim.tree(), sim.conserved_of_leaves());
    };
    const auto [tree, state] = conserved_of(lumps);
    // A field on a ring of 32² cells, from sub-grids.
    constexpr int n = 32;
    const auto density = [&](int x, int y) {
        x = (x + n) % n, y = (y + n) % n;
        const auto leaf = tree.find(NodeKey({x / edge, y / edge, 0}, 2));
        return state[static_cast<std::size_t>(leaf * fields * 64 + y % edge * edge + x % edge)];
    };
    for (const double above : {0.02, 0.05, 0.1, 0.2}) {
        device::Device device(device::open({.name = "host", .threads = 1, .pin = false}, 1));
        device::Queue queue(device);
        Adaptation adaptation(
            queue, {.criteria = {criterion("gradient", at::density, above, 0)}, .most_level = 1},
            Ideal{1.4});
        adaptation.begin(tree);
        TreeOnDevice on(queue, tree, 2);
        const auto found = adaptation.refined(on, state.data());
        std::int64_t expected = 0;
        for (int by = 0; by < 4; ++by)
            for (int bx = 0; bx < 4; ++bx) {
                double most = 0;
                for (int y = by * 8; y < by * 8 + 8; ++y)
                    for (int x = bx * 8; x < bx * 8 + 8; ++x)
                        most = std::max(most, std::hypot(density(x + 1, y) - density(x - 1, y),
                                                         density(x, y + 1) - density(x, y - 1)) /
                                                  2 / density(x, y));
                expected += most > above;
            }
        EXPECT_EQ(found ? (found->size() - tree.size()) / 3 : 0, expected) << above;
    }
}

TEST(Adaptive, MassMomentumAndEnergyAreKept) {
    for (int dims = 1; dims <= 3; ++dims)
        for (const auto& scheme : {plm, ppm}) {
            if (dims == 3 && scheme.reconstruct == "plm") continue;  // slow
            auto sim = simulate(dims, scheme);
            start_blast(*sim);
            const auto before = sim->totals();
            std::int64_t least = sim->tree().size(), most = least;
            for (int k = 0; k < (dims == 3 ? 6 : 30); ++k) {
                sim->run(4, no_end, no_interruption);
                least = std::min(least, sim->tree().size());
                most = std::max(most, sim->tree().size());
                ASSERT_TRUE(sim->tree().is_balanced());
            }
            EXPECT_LT(least, most);  // it has changed
            expect_kept(before, sim->totals());
        }
}

TEST(Adaptive, SubgridsAreCoarserAgainAfterTwoChecks) {
    auto sim = simulate(2, plm);
    const auto bump = [](Vec3d x) -> State {
        const double square = (x.x - 0.5) * (x.x - 0.5) + (x.y - 0.5) * (x.y - 0.5);
        return {1, 0, 0, 0, square < 0.01 ? 1.5 : 1.0};
    };
    start(*sim, bump);
    const auto fine = sim->tree().size();
    sim->set_leaves(on_leaves(sim->tree(), [](Vec3d) -> State { return {1, 0.1, 0, 0, 1}; }));
    sim->run(4, no_end, no_interruption);
    EXPECT_EQ(sim->tree().size(), fine);  // one check
    sim->run(1, no_end, no_interruption);
    EXPECT_LT(sim->tree().size(), fine);  // the second one, before this step
    sim->run(40, no_end, no_interruption);
    EXPECT_EQ(sim->tree().size(), 4);
}

TEST(Adaptive, AllWaysHaveTheSameBits) {
    for (int dims = 1; dims <= 3; ++dims)
        for (const auto& scheme : {plm, ppm}) {
            if (dims == 3 && (scheme.reconstruct == "plm" || core::sanitized)) continue;  // slow
            const int steps = dims == 3 ? 5 : 20;
            const auto run = [&](Way way, std::vector<int> pieces) {
                auto sim = simulate(dims, scheme, way, Boundary::reflecting);
                start_blast(*sim);
                for (const int piece : pieces) sim->run(piece, no_end, no_interruption);
                return std::pair(sim->conserved_of_leaves(), sim->time());
            };
            const auto expected = run({}, {steps});
            if (dims < 3) {
                EXPECT_EQ(run({}, {3, 1, 1, steps - 5}), expected);
            }
            for (const Way& way :
                 {Way{"aggregate", 2}, Way{"lanes", 1}, Way{"pack", 2}, Way{"subgrids", 2}}) {
                if (dims == 3 && way.schedule == std::string("pack")) continue;  // slow
                EXPECT_EQ(run(way, {2, steps - 2}), expected) << way.schedule;
            }
        }
}

TEST(Adaptive, AnyOrderOfTasksHasTheSameBits) {
    const auto run = [&](Way way) {
        auto sim = simulate(2, plm, way, Boundary::reflecting);
        start_blast(*sim);
        const auto before = sim->tree().size();
        sim->run(13, no_end, no_interruption);
        EXPECT_NE(sim->tree().size(), before);
        return sim->conserved_of_leaves();
    };
    const auto expected = run({});
    const std::uint64_t seeds = core::sanitized ? 10 : 100;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        ASSERT_EQ(run({seed % 2 ? "aggregate" : "subgrids", 1, "host", seed}), expected) << seed;
}

class AdaptiveOn : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AdaptiveOn);
INSTANTIATE_TEST_SUITE_P(Devices, AdaptiveOn, ::testing::ValuesIn(gpus()),
                         [](const auto&) { return std::string("gpu"); });

TEST_P(AdaptiveOn, ABlastHasTheBitsOfTheHost) {
    const bool slow = device::gpu_vendor == "emulated";
    for (int dims = 1; dims <= 3; ++dims) {
        const auto run = [&](Way way) {
            auto sim = simulate(dims, ppm, way, Boundary::reflecting);
            start_blast(*sim);
            sim->run((dims == 3 ? 10 : 40) / (slow ? 2 : 1), no_end, no_interruption);
            return std::pair(sim->conserved_of_leaves(), sim->time());
        };
        const auto expected = run({});
        for (const char* schedule : {"pack", "aggregate"})
            EXPECT_EQ(run({schedule, 1, GetParam()}), expected) << schedule << dims;
    }
}

TEST(Adaptive, RestartsGoOnToTheBit) {
    const auto file = std::filesystem::temp_directory_path() /
                      ("aureole-adaptive-" + std::to_string(getpid()) + ".ckpt");
    for (const int at : {4, 5, 7, 8, 13}) {
        auto whole = simulate(2, ppm);
        start_blast(*whole);
        whole->run(at, no_end, no_interruption);
        whole->write_checkpoint(file, "");
        whole->run(20, no_end, no_interruption);
        auto again = simulate(2, ppm, {"aggregate", 2});
        again->read_checkpoint(file);
        again->run(20, no_end, no_interruption);
        EXPECT_EQ(again->conserved_of_leaves(), whole->conserved_of_leaves()) << at;
        EXPECT_EQ(again->time(), whole->time());
    }
    std::filesystem::remove(file);
}

TEST(Adaptive, UniformFlowStaysSo) {
    for (int dims = 1; dims <= 3; ++dims) {
        auto sim = simulate(dims, ppm);
        start_blast(*sim);  // levels, which go away again
        sim->set_leaves(on_leaves(sim->tree(), [](Vec3d) -> State {
            return {1.3, 0.7, -0.4, 0.2, 0.9};
        }));
        const auto fine = sim->tree().size();
        sim->run(16, no_end, no_interruption);
        EXPECT_LT(sim->tree().size(), fine);
        const auto after = sim->conserved_of_leaves();
        const auto cells = static_cast<std::size_t>(sim->mesh().shape().cells());
        const double energy = 0.9 / 0.4 + 0.65 * (0.49 + 0.16 + 0.04);
        const double expected[] = {1.3, 1.3 * 0.7, -1.3 * 0.4, 1.3 * 0.2, energy};
        for (std::size_t k = 0; k < after.size(); ++k)
            ASSERT_NEAR(after[k], expected[k / cells % fields], 1e-13);
    }
}

TEST(Adaptive, ACheckCostsOneLaunchUnlessTheMeshChanges) {
    auto sim = simulate(2, plm);
    start_blast(*sim);
    std::int64_t regrids = 0;
    for (int k = 0; k < 20; ++k) {
        const auto size = sim->tree().size();
        const auto before = sim->counts();
        sim->run(4, no_end, no_interruption);
        const auto launches = sim->counts().launches - before.launches;
        const bool stayed = sim->tree().size() == size;
        regrids += !stayed;
        EXPECT_LE(launches, 4 * 12 + (stayed ? 1 : 25)) << k;
    }
    EXPECT_GT(regrids, 2);
}

TEST(Adaptive, CriteriaThatCannotBeAreRefused) {
    EXPECT_THROW(criterion("no such", 0, 1, 0), core::InputError);
    EXPECT_THROW(criterion("gradient", 0, 0.1, 0.2), core::InputError);
    EXPECT_THROW(criterion("gradient", 0, no_end, 0.2), core::InputError);
}

}  // namespace
}  // namespace aureole::amr
