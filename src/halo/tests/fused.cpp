// SPDX-License-Identifier: Apache-2.0
#include "halo/fused.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "device/config.hpp"
#include "halo/tests/fused_rig.hpp"

// The kernels of the fused exchange between ranks that are threads, with blocks and lanes that are
// threads too: ghosts and forces have the bits of the plain exchange, in any order of blocks.
namespace aureole::halo::testing {
namespace {

using device::host::BlockRun;
using Order = BlockRun::Order;

constexpr std::uint64_t hostile_seeds = device::sanitized ? 20 : 100;

void compare(FusedRig& rig, std::uint64_t seed, std::int64_t step) {
    const auto where = "seed " + std::to_string(seed) + ", step " + std::to_string(step);
    EXPECT_TRUE(same_bits(rig.fused_positions(seed, step), rig.plain_positions(seed, step)))
        << where;
    EXPECT_TRUE(same_bits(rig.fused_forces(seed, step), rig.plain_forces(seed, step))) << where;
    EXPECT_TRUE(same_bits(rig.fused_single_forces(seed, step), rig.plain_single_forces(seed, step)))
        << where;
}

class FusedHaloOn : public ::testing::TestWithParam<GridCase> {
  protected:
    /// Runs several plans with some steps each on all ranks.
    void run(const FusedOptions& options, int plans, int steps) {
        const GridCase& at = GetParam();
        comm::World::of_threads(RankGrid{at.ranks}.size(), [&](comm::World& world) {
            FusedRig rig(world, options);
            for (int k = 0; k < plans; ++k) {
                const RandomPlan plan(world, at, 100 + static_cast<std::uint64_t>(k));
                rig.set(plan);
                for (int step = 0; step < steps; ++step)
                    compare(rig, static_cast<std::uint64_t>(1000 * k + step), step);
            }
        });
    }
};

TEST_P(FusedHaloOn, GivesTheBitsOfThePlainExchangeRowByRow) {
    // One block at a time: each waits for blocks of earlier rows alone.
    run({.chunks = 1, .run = {Order::ascending, 1, 1, 0}}, 6, 4);
    run({.chunks = 3, .run = {Order::ascending, 1, 1, 0}}, 2, 3);
}

TEST_P(FusedHaloOn, GivesTheBitsOfThePlainExchangeAllAtOnce) {
    run({.chunks = 2, .run = {Order::shuffled, 1, 1, 17}}, 3, 3);
}

TEST_P(FusedHaloOn, GivesTheBitsOfThePlainExchangeWithSeveralLanes) {
    run({.chunks = 2, .run = {Order::ascending, 3, 2, 5}}, 2, 2);
}

INSTANTIATE_TEST_SUITE_P(Grids, FusedHaloOn, ::testing::ValuesIn(grids()),
                         [](const auto& g) { return std::string(g.param.name); });

TEST(FusedHalo, GivesTheBitsOfThePlainExchangeInHostileOrders) {
    for (const GridCase& at : {GridCase{"", {2, 2, 2}}, GridCase{"", {3, 1, 1}, 2}}) {
        comm::World::of_threads(RankGrid{at.ranks}.size(), [&](comm::World& world) {
            FusedRig rig(world, {.chunks = 2});
            for (std::uint64_t seed = 1; seed <= hostile_seeds; ++seed) {
                const bool at_once = seed % 2 == 0;
                rig.fused.set_run({at_once ? Order::shuffled : Order::ascending,
                                   1 + static_cast<int>(seed % 5), 1, seed});
                const RandomPlan plan(world, at, seed);
                rig.set(plan);
                for (int step = 0; step < 2; ++step) compare(rig, 7 * seed, step);
            }
        });
    }
}

TEST(FusedHalo, ExchangesPositionsWithoutForcesBetween) {
    // Nothing but the words keeps a fast rank from overwriting what a slow one has not read.
    const GridCase at{"", {3, 1, 1}};
    comm::World::of_threads(3, [&](comm::World& world) {
        FusedRig rig(world, {.chunks = 2, .run = {Order::shuffled, 1, 1, 3}});
        const RandomPlan plan(world, at, 4);
        rig.set(plan);
        for (int step = 0; step < 20; ++step) {
            const auto seed = static_cast<std::uint64_t>(step);
            EXPECT_TRUE(
                same_bits(rig.fused_positions(seed, step), rig.plain_positions(seed, step)));
        }
        for (int step = 0; step < 20; ++step) {
            const auto seed = static_cast<std::uint64_t>(step);
            EXPECT_TRUE(same_bits(rig.fused_forces(seed, step), rig.plain_forces(seed, step)));
        }
    });
}

TEST(FusedHalo, OfOneRankDoesNothing) {
    comm::World world = comm::World::alone();
    FusedRig rig(world, {});
    const RandomPlan plan(world, {"", {1, 1, 1}}, 3);
    rig.set(plan);
    compare(rig, 1, 0);
    rig.fused.request(rig.queue, comm::Word::of(0).renewing_in(2));
    EXPECT_EQ(rig.fused.heard_with_positions(rig.queue).renew_in(), 2u);
}

}  // namespace
}  // namespace aureole::halo::testing
