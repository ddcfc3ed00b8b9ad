// SPDX-License-Identifier: Apache-2.0
#include "device/threads/active_threads.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace aureole::device {
namespace {

constexpr std::int64_t ms = 1'000'000;

/// A machine on which a run takes `ns(count)`, `waiting(count)` of that asleep. Time is simulated.
struct Machine {
    std::function<std::int64_t(int)> ns;
    std::function<double(int)> waiting;
};

/// Runs for so long and returns the part of the time that `count` threads were at work.
double part_with(ActiveThreads& threads, int count, const Machine& machine, std::int64_t time) {
    std::int64_t with = 0, all = 0;
    while (all < time) {
        const int now = threads.count();
        const std::int64_t ns = machine.ns(now);
        threads.record(ns, static_cast<std::int64_t>(machine.waiting(now) * double(ns)));
        all += ns;
        if (now == count) with += ns;
    }
    return double(with) / double(all);
}

/// Partitions of 100 us, and 3 ms of waiting in each run with more threads than processors.
Machine with_processors(int processors, int partitions) {
    const auto ns = [=](int count) {
        const std::int64_t work = (partitions + count - 1) / count * (ms / 10);
        return count > processors ? work + 3 * ms : work;
    };
    return {ns, [=](int count) { return count > processors ? 3.0 * ms / double(ns(count)) : 0.0; }};
}

TEST(ActiveThreads, StayAllWhereRunsDoNotWait) {
    ActiveThreads threads(4);
    EXPECT_EQ(part_with(threads, 4, with_processors(4, 4), 20'000 * ms), 1.0);
}

TEST(ActiveThreads, AreAsManyAsThereAreProcessors) {
    for (const int processors : {1, 2, 4, 8}) {
        ActiveThreads threads(8);
        const Machine machine = with_processors(processors, 8);
        part_with(threads, processors, machine, 2'000 * ms);
        EXPECT_GT(part_with(threads, processors, machine, 20'000 * ms), 0.95) << processors;
    }
}

TEST(ActiveThreads, ComeBackWhenTheMachineIsQuiet) {
    ActiveThreads threads(4);
    part_with(threads, 1, with_processors(1, 4), 30'000 * ms);
    EXPECT_EQ(threads.count(), 1);
    part_with(threads, 4, with_processors(4, 4), 10'000 * ms);
    EXPECT_EQ(part_with(threads, 4, with_processors(4, 4), 10'000 * ms), 1.0);
}

TEST(ActiveThreads, StayAllWhereFewerAreSlowerAlthoughRunsWait) {
    // Long partitions on processors that others have half of the time: everyone waits, and still
    // each thread does its part.
    const Machine machine{[](int count) { return 40 * ms / count; }, [](int) { return 0.5; }};
    ActiveThreads threads(4);
    part_with(threads, 4, machine, 5'000 * ms);
    EXPECT_GT(part_with(threads, 4, machine, 60'000 * ms), 0.9);
}

TEST(ActiveThreads, AreWhatTheyWereFixedTo) {
    ActiveThreads threads(4);
    threads.fix(3);
    EXPECT_EQ(part_with(threads, 3, with_processors(1, 4), 5'000 * ms), 1.0);
    threads.fix(9);
    EXPECT_EQ(threads.count(), 4);
    threads.fix(0);
    EXPECT_EQ(threads.count(), 4);
    part_with(threads, 1, with_processors(1, 4), 5'000 * ms);
    EXPECT_LT(threads.count(), 3);
}

TEST(ActiveThreads, OfOneIsOne) {
    ActiveThreads threads(1);
    EXPECT_EQ(part_with(threads, 1, with_processors(0, 1), 1'000 * ms), 1.0);
}

}  // namespace
}  // namespace aureole::device
