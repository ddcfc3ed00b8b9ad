// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "core/error.hpp"
#include "halo/tests/fused_rig.hpp"

// What the words of the fused exchange carry, and what becomes of waits for words that never come.
namespace aureole::halo::testing {
namespace {

using device::host::BlockRun;
using Order = BlockRun::Order;

/// The ranks that a request reaches by one exchange: pulses in their order take it from each rank
/// that has it to the next.
std::set<int> ranks_told(const RankGrid& grid, int rank, bool forces) {
    std::set<int> told{rank};
    for (int k = 0; k < 3; ++k) {
        const int axis = forces ? k : 2 - k;
        if (component(grid.n, axis) == 1) continue;
        std::set<int> more;
        for (const int r : told) more.insert(grid.neighbour(r, axis, forces ? +1 : -1));
        told.merge(more);
    }
    return told;
}

class FusedWordsOn : public ::testing::TestWithParam<GridCase> {};

TEST_P(FusedWordsOn, TakeRequestsOneRankFurtherAlongEachAxis) {
    const GridCase& at = GetParam();
    const RankGrid grid{at.ranks};
    for (const int origin : {0, grid.size() - 1}) {
        const auto by_positions = ranks_told(grid, origin, false);
        const auto by_forces = ranks_told(grid, origin, true);
        comm::World::of_threads(grid.size(), [&](comm::World& world) {
            FusedRig rig(world, {.chunks = 2, .run = {Order::shuffled, 1, 1, 9}});
            const RandomPlan plan(world, at, 8);
            rig.set(plan);
            const auto own = comm::Word::of(0).renewing_in(5);
            rig.fused.request(rig.queue, world.rank() == origin ? own.halting() : own);
            if (world.rank() == origin) rig.fused.request(rig.queue, own.renewing_in(3).halting());
            rig.fused_positions(1, 1);
            const auto down = rig.fused.heard_with_positions(rig.queue);
            EXPECT_EQ(down.halt(), by_positions.count(world.rank()) == 1) << world.rank();
            EXPECT_EQ(down.renew_in(), down.halt() ? 3u : 5u);
            EXPECT_EQ(down.epoch(), 1u);
            rig.fused_forces(1, 1);
            const auto up = rig.fused.heard_with_forces(rig.queue);
            EXPECT_EQ(up.halt(), by_forces.count(world.rank()) == 1) << world.rank();
            EXPECT_EQ(up.renew_in(), up.halt() ? 3u : 5u);
            EXPECT_FALSE(up.stop());

            // A rank that halted has sent its words, so that the exchange goes on after it.
            rig.fused.request(rig.queue, comm::Word::of(0));
            EXPECT_TRUE(same_bits(rig.fused_positions(2, 2), rig.plain_positions(2, 2)));
            EXPECT_TRUE(same_bits(rig.fused_forces(2, 2), rig.plain_forces(2, 2)));
            EXPECT_EQ(rig.fused.heard_with_positions(rig.queue), comm::Word::of(2));
            EXPECT_EQ(rig.fused.heard_with_forces(rig.queue), comm::Word::of(2));
        });
    }
}

TEST_P(FusedWordsOn, ThatHaltLeaveGhostsAndForcesAlone) {
    const GridCase& at = GetParam();
    comm::World::of_threads(RankGrid{at.ranks}.size(), [&](comm::World& world) {
        FusedRig rig(world, {.chunks = 2, .run = {Order::shuffled, 1, 1, 2}});
        const RandomPlan plan(world, at, 8);
        rig.set(plan);
        rig.fused.request(rig.queue, comm::Word::of(0).halting());
        EXPECT_TRUE(same_bits(rig.fused_positions(1, 1), rig.positions(1)));
        EXPECT_TRUE(same_bits(rig.fused_forces(1, 1), rig.forces(1)));
    });
}

INSTANTIATE_TEST_SUITE_P(Grids, FusedWordsOn,
                         ::testing::Values(GridCase{"three", {1, 3, 1}},
                                           GridCase{"two_cubed", {2, 2, 2}},
                                           GridCase{"three_cubed", {3, 3, 3}}),
                         [](const auto& g) { return std::string(g.param.name); });

/// The error of ranks of which one ends its part of the exchange early: it only waits for the
/// others afterwards.
std::string error_of(const GridCase& at, const BlockRun& run,
                     const std::function<void(FusedRig&, int rank)>& f) {
    try {
        comm::World::of_threads(RankGrid{at.ranks}.size(), [&](comm::World& world) {
            FusedRig rig(world, {.chunks = 2, .looks = 2000, .run = run});
            const RandomPlan plan(world, at, 8);
            rig.set(plan);
            f(rig, world.rank());
            world.barrier();
        });
    } catch (const core::RankError& error) {
        return error.what();
    }
    return "no error";
}

TEST(FusedWatchdog, NamesPulseAndRankOfPositionsThatNeverCome) {
    const auto text = error_of({"", {1, 1, 2}}, {}, [](FusedRig& rig, int rank) {
        rig.fused_positions(1, 11);
        if (rank == 0) rig.fused_positions(2, 12);
    });
    EXPECT_EQ(text,
              "rank 0 gave up waiting for positions from rank 1 (pulse 0 of the halo, step 12: "
              "expected epoch 2, last seen 1). Check what rank 1 was doing.");
}

TEST(FusedWatchdog, NamesPulseAndRankOfForcesThatNeverCome) {
    const auto text =
        error_of({"", {1, 1, 2}}, {Order::shuffled, 1, 2, 6}, [](auto& rig, int rank) {
            rig.fused_positions(1, 5);
            if (rank == 1) rig.fused_forces(2, 5);
        });
    EXPECT_EQ(text,
              "rank 1 gave up waiting for forces from rank 0 (pulse 0 of the halo, step 5: "
              "expected epoch 1, last seen 0). Check what rank 0 was doing.");
}

TEST(FusedWatchdog, NamesRanksThatTakeNothing) {
    const auto text = error_of({"", {1, 1, 2}}, {}, [](FusedRig& rig, int rank) {
        rig.upload(rig.positions(1));
        for (int step = 1; step <= 2; ++step) {
            rig.fused.send(rig.queue, rig.column.view(), step);
            if (rank == 0) rig.fused.receive(rig.queue, rig.column.view(), step);
            if (rank == 0) rig.fused.check(rig.queue, step);
        }
    });
    EXPECT_EQ(
        text,
        "rank 0 gave up waiting for buffer space for positions on rank 1 (pulse 0 of the halo, "
        "step 2: expected epoch 1, last seen 0). Check what rank 1 was doing.");
}

TEST(FusedWatchdog, EndsAllRanksWhereOneIsMissing) {
    for (const auto order : {Order::ascending, Order::shuffled}) {
        const auto text = error_of({"", {2, 2, 2}}, {order, 2, 1, 7}, [](FusedRig& rig, int rank) {
            if (rank != 3) rig.fused_positions(1, 1);
        });
        EXPECT_NE(text.find("gave up waiting for positions from rank "), std::string::npos) << text;
    }
}

TEST(FusedWatchdog, EndsRowsThatBeginInTheWrongOrder) {
    // One block at a time, those that wait first: what they wait for never begins.
    const auto text = error_of({"", {2, 2, 1}}, {Order::descending, 1, 1, 0},
                               [](FusedRig& rig, int) { rig.fused_positions(1, 1); });
    EXPECT_NE(text.find("gave up waiting for positions"), std::string::npos) << text;
}

}  // namespace
}  // namespace aureole::halo::testing
