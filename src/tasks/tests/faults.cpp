// SPDX-License-Identifier: Apache-2.0
// What goes wrong is an error with task and place; nothing hangs, nothing is left, and the next run
// in the same pool works.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tasks/tests/errors.hpp"

namespace aureole::tasks {
namespace {

using device::Device;

struct Event : device::detail::EventState {
    bool ready() const override {
        if (fails) throw core::DeviceError("the kernel failed", "code 700", "Look for it.");
        return reached.load(std::memory_order_acquire);
    }
    void wait() const override {}
    double seconds_since(const EventState&) const override { return 0; }
    std::atomic<bool> fails{false}, reached{false};
};

/// Counts itself, so that what is not destroyed is noticed.
struct Counted {
    explicit Counted(std::atomic<int>& count) : here(&count) { ++*here; }
    Counted(const Counted& other) : here(other.here) { ++*here; }
    ~Counted() { --*here; }
    std::atomic<int>* here;
};

class Faults : public ::testing::TestWithParam<int> {
  protected:
    Pool pool{Device::host({.threads = GetParam()}), {.patience = std::chrono::milliseconds(100)}};
    std::atomic<int> counted{0};

    void TearDown() override {
        EXPECT_EQ(counted.load(), 0);
        EXPECT_EQ(pool.in_use(), 0u);
        std::atomic<int> count{0};
        pool.run([&](Scope& scope) {
            for (int k = 0; k < 10; ++k) scope.spawn("next", [&] { ++count; });
        });
        EXPECT_EQ(count.load(), 10);
    }
};

void has(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_P(Faults, ATaskThrows) {
    for (int at = 0; at < 20; ++at) {
        const std::string text = error_of(pool, [&](Scope& scope) {
            for (int k = 0; k < 20; ++k)
                scope.spawn("gather", [k, at, held = Counted(counted)] {
                    if (k == at) throw std::runtime_error("negative pressure");
                });
        });
        has(text, "task \"gather\" (faults.cpp:");
        has(text, "negative pressure");
    }
}

TEST_P(Faults, AContinuationThrows) {
    for (int at = 0; at < 20; ++at) {
        std::atomic<int> earlier{0}, later{0};
        const std::string text = error_of(pool, [&](Scope& scope) {
            scope.spawn("chain", [&, at] {
                auto event = std::make_shared<Event>();
                Future last = pool.poller().when(device::Event(event), 0);
                for (int k = 0; k < 20; ++k)
                    last = std::move(last).then([&, k, at, held = Counted(counted)] {
                        if (k == at) throw std::runtime_error("no step");
                        ++(k < at ? earlier : later);
                    });
                event->reached = true;
            });
        });
        has(text, "task \"chain\" (faults.cpp:");
        has(text, "no step");
        EXPECT_EQ(earlier.load(), at);
        EXPECT_EQ(later.load(), 0);
    }
}

TEST_P(Faults, ATaskOfATaskThrows) {
    const std::string text = error_of(pool, [&](Scope& scope) {
        scope.spawn("outer", [&, held = Counted(counted)] {
            Scope inner;
            inner.spawn("inner",
                        [more = Counted(counted)] { throw std::runtime_error("deep down"); });
            inner.join();
        });
    });
    has(text, "task \"inner\" (faults.cpp:");
    has(text, "deep down");
}

TEST_P(Faults, AnErrorOfAnInnerScopeCanBeHandled) {
    std::string handled;
    EXPECT_EQ(error_of(pool,
                       [&](Scope&) {
                           Scope inner;
                           inner.spawn("fails", [] { throw std::runtime_error("on purpose"); });
                           try {
                               inner.join();
                           } catch (const TaskError& error) {
                               handled = error.what();
                           }
                       }),
              "none");
    has(handled, "task \"fails\" (faults.cpp:");
}

TEST_P(Faults, WhatWasNotBegunIsCancelled) {
    std::atomic<int> begun{0};
    error_of(pool, [&](Scope& scope) {
        scope.spawn("fails", [] { throw std::runtime_error("first"); });
        while (!scope.cancelled() && pool.workers() > 1) std::this_thread::yield();
        if (pool.workers() == 1) scope.cancel();
        for (int k = 0; k < 100; ++k) scope.spawn("late", [&] { ++begun; });
    });
    EXPECT_EQ(begun.load(), 0);
}

TEST_P(Faults, TheRootThrows) {
    EXPECT_EQ(error_of(pool,
                       [&](Scope& scope) {
                           for (int k = 0; k < 20; ++k)
                               scope.spawn("x", [held = Counted(counted)] {});
                           throw std::runtime_error("as it was");
                       }),
              "as it was");
}

TEST_P(Faults, AnEventFails) {
    auto event = std::make_shared<Event>();
    std::atomic<int> went_on{0};
    const std::string text = error_of(pool, [&](Scope& scope) {
        for (int k = 0; k < 20; ++k)
            static_cast<void>(pool.poller().when(device::Event(event), 3).then([&] { ++went_on; }));
        scope.spawn("later", [event] { event->fails = true; });
    });
    has(text, "code 700");
    has(text, "(faults.cpp:");
    EXPECT_EQ(went_on.load(), 0);
}

TEST_P(Faults, AnEventNeverComes) {
    auto event = std::make_shared<Event>();
    const std::string text = error_of(pool, [&](Scope& scope) {
        scope.spawn("flux", [&, event, held = Counted(counted)] {
            for (int k = 0; k < 20; ++k)
                static_cast<void>(pool.poller().when(device::Event(event), k % 2).then([] {}));
        });
    });
    has(text, "event 1 of lane 1");
    has(text, "\"flux\" (faults.cpp:");
    has(text, "and 8 more");
    has(text, "task \"flux\" (faults.cpp:");
    has(text, "waits for \"flux\" (faults.cpp:");
}

TEST_P(Faults, EventsOfAThreadThatEndedAreNotTakenForTasks) {
    Device hostile = Device::host({.threads = 1, .hostile = true});
    device::Queue queue(hostile);
    std::vector<device::Event> kept;
    std::thread([&] {
        for (int k = 0; k < 5; ++k) kept.push_back(queue.record());
    }).join();
    Pool next(Device::host({.threads = GetParam()}), {.patience = std::chrono::milliseconds(100)});
    const auto never = std::make_shared<Event>();
    const std::string text = error_of(next, [&](Scope&) {
        static_cast<void>(next.poller().when(device::Event(never), 0).then([] {}));
    });
    has(text, "nothing has happened for 100 ms");
    queue.synchronize();
}

TEST_P(Faults, ScopesOfOtherPoolsAreRefused) {
    Pool other(Device::host({.threads = 1}));
    pool.run([&](Scope& scope) {
        scope.spawn("mine", [] {});
        other.run([&](Scope&) {
            EXPECT_THROW(scope.spawn("foreign", [] {}), std::logic_error);
            EXPECT_THROW(scope.join(), core::Error);
        });
    });
}

/// The patience is with what nobody works for.
TEST_P(Faults, WhatTakesLongIsNotGivenUp) {
    const auto too_long = 3 * pool.options().patience;
    auto first = std::make_shared<Event>(), second = std::make_shared<Event>();
    std::atomic<int> went_on{0};
    std::thread other;
    EXPECT_EQ(error_of(pool,
                       [&](Scope& scope) {
                           static_cast<void>(pool.poller().when(device::Event(first), 0).then([&] {
                               ++went_on;
                           }));
                           scope.spawn("long", [&] {
                               std::this_thread::sleep_for(too_long);
                               first->reached = true;
                           });
                           scope.join();
                           std::this_thread::sleep_for(too_long);  // nothing is pending
                           other = std::thread([&] {
                               std::this_thread::sleep_for(pool.options().patience / 5);
                               second->reached = true;
                           });
                           static_cast<void>(pool.poller().when(device::Event(second), 0).then([&] {
                               ++went_on;
                           }));
                       }),
              "none");
    other.join();
    EXPECT_EQ(went_on.load(), 2);
}

TEST_P(Faults, ATaskWaitsForItself) {
    std::string text =
        error_of(pool, [&](Scope& scope) { scope.spawn("ouroboros", [&] { scope.join(); }); });
    has(text, "task \"ouroboros\" (faults.cpp:");
    has(text, "waits for itself");

    text = error_of(pool,
                    [&](Scope& scope) { scope.spawn("again", [&] { pool.run([](Scope&) {}); }); });
    has(text, "task \"again\" (faults.cpp:");
    has(text, "same pool");
}

/// Two continuations, each of which waits for a task that goes on after the other.
TEST_P(Faults, TasksWaitForEachOther) {
    Future futures[2];
    const std::string text = error_of(pool, [&](Scope& scope) {
        scope.spawn("ring", [&] {
            auto both_known = std::make_shared<Event>();
            const Future begin = pool.poller().when(device::Event(both_known), 0);
            for (int k = 0; k < 2; ++k)
                futures[k] = Future(begin).then([&, k, held = Counted(counted)] {
                    Scope own;
                    own.spawn("link", [&] {
                        static_cast<void>(Future(futures[1 - k]).then([] { ADD_FAILURE(); }));
                    });
                    own.join();
                });
            both_known->reached = true;
        });
    });
    has(text, "nothing has happened for 100 ms");
    has(text, "task \"link\" (faults.cpp:");
    has(text, "waits for \"ring\" (faults.cpp:");
    futures[0] = futures[1] = {};
}

TEST_P(Faults, AQueueIsDestroyedWithWorkPending) {
    Device hostile = Device::host({.threads = 1, .hostile = true});
    std::atomic<int> done{0};
    EXPECT_EQ(error_of(pool,
                       [&](Scope&) {
                           for (int k = 0; k < 20; ++k) {
                               device::Queue queue(hostile);
                               static_cast<void>(
                                   pool.poller().when(queue.record(), k).then([&] { ++done; }));
                           }
                       }),
              "none");
    EXPECT_EQ(done.load(), 20);
}

TEST_P(Faults, NothingIsStartedOutside) {
    EXPECT_THROW(Scope(), std::logic_error);
    EXPECT_THROW(static_cast<void>(Future().then([] {})), std::logic_error);
}

TEST(Patience, IsFromAMillisecondToADay) {
    using std::chrono::milliseconds;
    for (const auto wrong : {milliseconds(0), milliseconds(-5), milliseconds::max()})
        EXPECT_THROW(Pool(Device::host({.threads = 1}), {.patience = wrong}), core::InputError);
}

/// An array of these larger than 8 cannot be had.
template <class Value>
struct Scarce : std::atomic<Value> {
    static void* operator new[](std::size_t bytes) {
        if (bytes > 8 * sizeof(Scarce) + sizeof(std::size_t)) throw std::bad_alloc();
        return ::operator new[](bytes);
    }
};

TEST(Deques, KeepWhatTheyHaveIfThereIsNoMemoryForMore) {
    Deque<int, Scarce> deque(4);
    std::array<int, 9> items{};
    for (int k = 0; k < 8; ++k) EXPECT_TRUE(deque.push(&items[k]));
    EXPECT_FALSE(deque.push(&items[8]));
    for (int k = 7; k >= 0; --k) EXPECT_EQ(deque.take(), &items[k]);
    EXPECT_EQ(deque.take(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Workers, Faults, ::testing::Values(1, 2, 8));

}  // namespace
}  // namespace aureole::tasks
