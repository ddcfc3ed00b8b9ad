// SPDX-License-Identifier: Apache-2.0
#include "device/thread_pool.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace aureole::device {
namespace {

class ThreadPoolOf : public ::testing::TestWithParam<int> {
  protected:
    ThreadPool pool{GetParam()};
};

TEST_P(ThreadPoolOf, RunsEveryRankOnceEachTime) {
    std::vector<long> calls(pool.size(), 0);
    for (int round = 0; round < 2000; ++round) pool.run([&](int rank) { ++calls[rank]; });
    for (const long count : calls) EXPECT_EQ(count, 2000);
}

TEST_P(ThreadPoolOf, RankZeroIsTheCallerAndOthersAreNot) {
    std::vector<std::thread::id> ids(pool.size());
    pool.run([&](int rank) { ids[rank] = std::this_thread::get_id(); });
    EXPECT_EQ(ids[0], std::this_thread::get_id());
    for (int r = 1; r < pool.size(); ++r) EXPECT_NE(ids[r], ids[0]);
}

TEST_P(ThreadPoolOf, WakesAfterSleep) {
    for (int round = 0; round < 3; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::atomic<int> calls{0};
        pool.run([&](int) { ++calls; });
        EXPECT_EQ(calls.load(), pool.size());
    }
}

TEST_P(ThreadPoolOf, ThrowsTheLowestRanksExceptionAndGoesOn) {
    const int last = pool.size() - 1;
    try {
        pool.run([&](int rank) {
            if (rank == 0 || rank == last) throw std::runtime_error("rank " + std::to_string(rank));
        });
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "rank 0");
    }
    if (last > 0) {
        EXPECT_THROW(pool.run([&](int rank) {
            if (rank == last) throw std::out_of_range("last");
        }),
                     std::out_of_range);
    }
    int calls = 0;
    pool.run([&](int rank) {
        if (rank == 0) ++calls;
    });
    EXPECT_EQ(calls, 1);
}

TEST_P(ThreadPoolOf, RefusesARunInsideARun) {
    EXPECT_THROW(pool.run([&](int rank) {
        if (rank == pool.size() - 1) pool.run([](int) {});
    }),
                 std::logic_error);
}

TEST_P(ThreadPoolOf, TakesTurnsBetweenSubmittingThreads) {
    long total = 0;  // guarded by the turns alone: a race is a test failure under TSan
    const auto submit = [&] {
        for (int round = 0; round < 500; ++round)
            pool.run([&](int rank) {
                if (rank == 0) ++total;
            });
    };
    std::thread other(submit);
    submit();
    other.join();
    EXPECT_EQ(total, 1000);
}

TEST_P(ThreadPoolOf, ScratchIsPerRankAlignedAndKept) {
    std::vector<std::byte*> first(pool.size()), again(pool.size());
    pool.run([&](int rank) {
        first[rank] = pool.scratch(rank, 1000);
        std::fill(first[rank], first[rank] + 1000, std::byte(rank));
    });
    pool.run([&](int rank) { again[rank] = pool.scratch(rank, 500); });
    EXPECT_EQ(first, again);
    for (int r = 0; r < pool.size(); ++r) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first[r]) % 64, 0u);
        EXPECT_EQ(first[r][999], std::byte(r));
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ThreadPoolOf, ::testing::Values(1, 2, 4));

TEST(PartOf, CoversTheRangeInOrderAtGrains) {
    for (const std::int64_t n : {0, 1, 15, 16, 17, 1000, 4097}) {
        for (const int parts : {1, 2, 3, 7}) {
            std::int64_t end = 0;
            for (int r = 0; r < parts; ++r) {
                const Range range = part_of(n, r, parts, 16);
                EXPECT_EQ(range.begin, end);
                EXPECT_TRUE(range.begin % 16 == 0 || range.begin == n);
                EXPECT_GE(range.end, range.begin);
                end = range.end;
            }
            EXPECT_EQ(end, n);
        }
    }
}

}  // namespace
}  // namespace aureole::device
