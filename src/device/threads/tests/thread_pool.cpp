// SPDX-License-Identifier: Apache-2.0
#include "device/threads/thread_pool.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <memory>
#include <numeric>
#include <set>
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

TEST_P(ThreadPoolOf, PartitionsAtOnceRunOnThreadsOfTheirOwn) {
    std::vector<std::thread::id> ids(pool.size());
    for (const int active : {0, 1}) {
        pool.fix_active(active);
        std::barrier meeting(pool.size());
        pool.run_at_once([&](int partition) {
            meeting.arrive_and_wait();
            ids[partition] = std::this_thread::get_id();
        });
        EXPECT_EQ(ids[0], std::this_thread::get_id());
        EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), ids.size());
        EXPECT_EQ(pool.active(), active == 1 ? 1 : pool.size());
    }
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

TEST_P(ThreadPoolOf, RunsInsideARunOfAnotherIfItIsOfOneThread) {
    ThreadPool other(2);
    std::vector<std::unique_ptr<ThreadPool>> own(pool.size());
    std::vector<std::thread::id> inner(pool.size()), outer(pool.size());
    pool.run([&](int rank) {
        own[rank] = std::make_unique<ThreadPool>(1);
        outer[rank] = std::this_thread::get_id();
        own[rank]->run([&](int) { inner[rank] = std::this_thread::get_id(); });
        EXPECT_THROW(other.run([](int) {}), std::logic_error);
        EXPECT_THROW(own[rank]->run([&](int) { own[rank]->run([](int) {}); }), std::logic_error);
    });
    EXPECT_EQ(inner, outer);
    EXPECT_NO_THROW(other.run([](int) {}));
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

TEST_P(ThreadPoolOf, RunsEveryPartitionOnceWhileTheCountOfThreadsChanges) {
    std::vector<long> calls(pool.size(), 0);
    for (int round = 0; round < 2000; ++round) {
        if (round % 10 == 0) pool.fix_active(round / 10 % (pool.size() + 1));
        pool.run([&](int partition) { ++calls[partition]; });
    }
    for (const long count : calls) EXPECT_EQ(count, 2000);
    EXPECT_EQ(pool.fewest_active(), 1);
}

TEST_P(ThreadPoolOf, OneActiveThreadIsTheCaller) {
    pool.fix_active(1);
    pool.run([&, caller = std::this_thread::get_id()](int) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
    });
}

int arrivals[2], releases[2];  // pipes

void stand_still(int) {
    char byte = 0;
    while (write(arrivals[1], &byte, 1) != 1) {
    }
    while (read(releases[0], &byte, 1) != 1) {
    }
}

// Threads that the scheduler does not run, held in a signal's handler: nobody may wait for them.
TEST_P(ThreadPoolOf, TheCallerDoesThePartitionsOfThreadsThatDoNotRun) {
    if (sanitized) GTEST_SKIP() << "sanitizers put signals off";
    ASSERT_EQ(pipe(arrivals), 0);
    ASSERT_EQ(pipe(releases), 0);
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = stand_still;
    sigaction(SIGUSR1, &action, &before);
    std::atomic<int> known{0};
    std::vector<pid_t> workers(pool.size(), 0);
    pool.run_at_once([&](int partition) { workers[partition] = gettid(); });
    char byte = 0;
    for (int partition = 1; partition < pool.size(); ++partition) {
        ASSERT_EQ(syscall(SYS_tgkill, getpid(), workers[partition], SIGUSR1), 0);
        ASSERT_EQ(read(arrivals[0], &byte, 1), 1);
    }
    for (int round = 0; round < 100; ++round)
        pool.run([&, caller = gettid()](int) { known += gettid() == caller; });
    EXPECT_EQ(known.load(), 100 * pool.size());
    for (int partition = 1; partition < pool.size(); ++partition)
        EXPECT_EQ(write(releases[1], &byte, 1), 1);
    pool.run_at_once([](int) {});  // all have left the handler
    sigaction(SIGUSR1, &before, nullptr);
    for (const int end : {arrivals[0], arrivals[1], releases[0], releases[1]}) close(end);
}

// After fork() there is one thread. The child must neither wait for the others nor hang at the end.
TEST_P(ThreadPoolOf, WorksInAChildOfFork) {
    pool.run([](int) {});
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(60);  // a hang ends as a failure
        auto own = std::make_unique<ThreadPool>(1);
        std::vector<int> calls(pool.size(), 0);
        for (int round = 0; round < 3; ++round)
            pool.run([&](int partition) { calls[partition] += 1 + partition; });
        bool right = true;
        for (int partition = 0; partition < pool.size(); ++partition)
            right = right && calls[partition] == 3 * (1 + partition);
        pool.~ThreadPool();
        _exit(right ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    std::atomic<int> calls{0};
    pool.run([&](int) { ++calls; });
    EXPECT_EQ(calls.load(), pool.size());
}

INSTANTIATE_TEST_SUITE_P(Sizes, ThreadPoolOf, ::testing::Values(1, 2, 4));

// A thread that wakes up while its pool ends must not take the end for another run: what the last
// job refers to is gone.
TEST(ThreadPool, EndsWithoutRepeatingTheLastRun) {
    const int pools = 300, size = 8;
    std::atomic<int> calls{0};
    for (int k = 0; k < pools; ++k) {
        ThreadPool pool(size);
        pool.run([&](int) { ++calls; });
    }
    EXPECT_EQ(calls.load(), size * pools);
}

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
