// SPDX-License-Identifier: Apache-2.0
#include "comm/run_until.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace aureole::comm {
namespace {

void nobody() {}

/// Counts the steps of one rank, and tells how it was called.
struct Steps {
    std::int64_t made = 0, closed_at = -1;
    std::vector<std::int64_t> batches;

    auto advance(std::int64_t n) {
        EXPECT_EQ(closed_at, -1);
        batches.push_back(n), made += n;
        return n;
    }
    void close() {
        EXPECT_EQ(closed_at, -1) << "closed twice";
        closed_at = made;
    }
};

TEST(RunUntil, EndsAtACountOfSteps) {
    for (const std::int64_t wanted : {0, 1, 1000}) {
        Steps steps;
        const auto made = run_until(
            nullptr, [&] { return steps.made >= wanted; },
            [&](std::int64_t n) { return steps.advance(std::min(n, wanted - steps.made)); },
            [&] { steps.close(); }, nobody);
        EXPECT_EQ(made, wanted);
        EXPECT_EQ(steps.made, wanted);
        EXPECT_EQ(steps.closed_at, wanted);
    }
}

TEST(RunUntil, EndsAtATimeInTheMiddleOfABatch) {
    Steps steps;
    double time = 0;
    const auto made = run_until(
        nullptr, [&] { return time >= 5; },
        [&](std::int64_t n) {
            std::int64_t k = 0;
            for (; k < n && time < 5; ++k) time += 0.0625 * (1 + k % 2);
            steps.advance(k);
            return k;
        },
        [&] { steps.close(); }, nobody);
    EXPECT_GE(time, 5);
    EXPECT_LE(time, 5.125);
    EXPECT_EQ(made, steps.made);
    EXPECT_EQ(steps.closed_at, made);
}

TEST(RunUntil, BatchesGrowToATenthOfASecond) {
    Steps steps;
    run_until(
        nullptr, [&] { return steps.made >= 300; },
        [&](std::int64_t n) {
            std::this_thread::sleep_for(std::chrono::milliseconds(n));
            return steps.advance(n);
        },
        [&] { steps.close(); }, nobody);
    const auto& batches = steps.batches;
    EXPECT_EQ(batches[0], 1);
    for (std::size_t k = 1; k < batches.size(); ++k) EXPECT_LE(batches[k], 4 * batches[k - 1]);
    const auto longest = *std::ranges::max_element(batches);
    EXPECT_GT(longest, 10);  // less than 100 where the machine is busy
    EXPECT_LE(longest, 100);
}

/// An interruption of one rank ends the run of all after the same step; that rank alone throws.
class RunOfRanks : public ::testing::TestWithParam<int> {};

TEST_P(RunOfRanks, AnInterruptionOfOneEndsAll) {
    const int ranks = GetParam();
    std::vector<Steps> all(static_cast<std::size_t>(ranks));
    std::vector<std::int64_t> returned(all.size(), -1);
    std::atomic<int> threw = 0;
    World::of_threads(ranks, [&](World& world) {
        const auto rank = static_cast<std::size_t>(world.rank());
        auto& steps = all[rank];
        const auto interrupted = [&] {
            if (world.rank() == ranks - 1 && steps.made > 50) throw std::domain_error("enough");
        };
        try {
            returned[rank] = run_until(
                &world, [&] { return steps.made >= 1'000'000'000'000; },
                [&](std::int64_t n) {
                    // By their own clocks, the ranks would make batches of unlike length.
                    std::this_thread::sleep_for(std::chrono::milliseconds(rank == 0 ? 0 : 40));
                    return steps.advance(n);
                },
                [&] { steps.close(); }, interrupted);
        } catch (const std::domain_error&) {
            EXPECT_EQ(world.rank(), ranks - 1);
            ++threw;
        }
    });
    EXPECT_EQ(threw, 1);
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        EXPECT_EQ(all[rank].batches, all[0].batches);
        EXPECT_EQ(all[rank].closed_at, all[0].made);
        EXPECT_EQ(returned[rank], rank + 1 == all.size() ? -1 : all[0].made);
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, RunOfRanks, ::testing::Values(1, 2, 4));

TEST(RunUntil, AnErrorOfAStepGoesOnAtOnce) {
    Steps steps;
    const auto fail = [](std::int64_t) -> std::int64_t { throw std::domain_error("blown up"); };
    EXPECT_THROW(run_until(
                     nullptr, [] { return false; }, fail, [&] { steps.close(); }, nobody),
                 std::domain_error);
    EXPECT_EQ(steps.closed_at, -1);
}

}  // namespace
}  // namespace aureole::comm
