// SPDX-License-Identifier: Apache-2.0
// What goes wrong is an error with task and place; nothing hangs, nothing is left, and the next run
// in the same pool works.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

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
        std::atomic<int> later{0};
        const std::string text = error_of(pool, [&](Scope& scope) {
            Future<int> last = scope.async("first", [] { return 0; });
            for (int k = 0; k < 20; ++k)
                last = last.then("step", [&, k, at, held = Counted(counted)](int x) {
                    if (k == at) throw std::runtime_error("no step");
                    if (k > at) ++later;
                    return x + 1;
                });
        });
        has(text, "task \"step\" (faults.cpp:");
        has(text, "no step");
        EXPECT_EQ(later.load(), 0);
    }
}

TEST_P(Faults, ACoroutineThrows) {
    const std::string text = error_of(pool, [&](Scope& scope) {
        scope.spawn("outer", [](std::atomic<int>& count) -> Task<void> {
            const Counted held(count);
            co_await [](std::atomic<int>& inner) -> Task<void> {
                const Counted more(inner);
                throw std::runtime_error("deep down");
                co_return;
            }(count);
        }(counted));
    });
    has(text, "task \"outer\" (faults.cpp:");
    has(text, "deep down");
}

TEST_P(Faults, AnErrorOfAnInnerScopeCanBeHandled) {
    bool handled = false;
    EXPECT_EQ(error_of(pool,
                       [&](Scope&) -> Task<void> {
                           Scope inner;
                           inner.spawn("fails", [] { throw std::runtime_error("on purpose"); });
                           try {
                               co_await inner.all();
                           } catch (const TaskError& error) {
                               handled = error.name == "fails";
                           }
                       }),
              "none");
    EXPECT_TRUE(handled);
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
}

TEST_P(Faults, ATaskWaitsForItself) {
    std::string text =
        error_of(pool, [&](Scope& scope) { scope.spawn("ouroboros", [&] { scope.join(); }); });
    has(text, "task \"ouroboros\" (faults.cpp:");
    has(text, "waits for itself");

    auto event = std::make_shared<Event>();
    text = error_of(pool, [&](Scope& scope) {
        scope.spawn("get", [&] {
            const Future<void> future = scope.async("other", [] {}).then([] {});
            // Whoever asks too early gets an error; too late, the result.
            if (!future.ready()) future.get();
            throw core::Error("waits for itself");
        });
    });
    has(text, "task \"get\" (faults.cpp:");
    has(text, "waits for itself");

    text = error_of(pool,
                    [&](Scope& scope) { scope.spawn("again", [&] { pool.run([](Scope&) {}); }); });
    has(text, "task \"again\" (faults.cpp:");
    has(text, "same pool");
}

TEST_P(Faults, TasksWaitForEachOther) {
    Future<void> futures[2];
    const std::string text = error_of(pool, [&](Scope& scope) {
        auto both_known = std::make_shared<Event>();
        const Future<void> begin = pool.poller().when(device::Event(both_known), 0);
        for (int k = 0; k < 2; ++k)
            futures[k] = scope.async(
                "ring", [](Future<void> first, Future<void>& other, Counted) -> Task<void> {
                    co_await first;
                    co_await other;
                }(begin, futures[1 - k], Counted(counted)));
        both_known->reached = true;
    });
    has(text, "\"ring\" (faults.cpp:");
    has(text, "wait for each other");
    futures[0] = futures[1] = {};
}

TEST_P(Faults, AQueueIsDestroyedWithWorkPending) {
    Device hostile = Device::host({.threads = 1, .hostile = true});
    std::atomic<int> done{0};
    EXPECT_EQ(
        error_of(pool,
                 [&](Scope&) {
                     for (int k = 0; k < 20; ++k) {
                         device::Queue queue(hostile);
                         static_cast<void>(pool.poller().when(queue, k).then([&] { ++done; }));
                     }
                 }),
        "none");
    EXPECT_EQ(done.load(), 20);
}

TEST_P(Faults, NothingIsStartedOutside) {
    EXPECT_THROW(Scope(), std::logic_error);
    EXPECT_THROW(static_cast<void>(Future<void>().then([] {})), std::logic_error);
    EXPECT_THROW(static_cast<void>(when_all({})), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(Workers, Faults, ::testing::Values(1, 2, 8));

}  // namespace
}  // namespace aureole::tasks
