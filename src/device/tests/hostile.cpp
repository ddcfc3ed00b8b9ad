// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"

namespace aureole::device {
namespace {

// What hostile mode is for: mistakes that would show on a GPU only must show here.
class Hostile : public ::testing::Test {
  protected:
    Device device = Device::host({.threads = 2, .pin = false, .hostile = true});
    Queue queue{device};
};

using HostileDeathTest = Hostile;

TEST_F(Hostile, FreshMemoryIsPoisoned) {
    Buffer<double> buffer(queue, 100);
    double value = 0;
    copy_to_host(queue, &value, buffer.view().part(99, 1));
    EXPECT_TRUE(std::isnan(value));
    Buffer<float> single(queue, 3);
    float small = 0;
    copy_to_host(queue, &small, single.view().part(2, 1));
    EXPECT_TRUE(std::isnan(small));
}

TEST_F(Hostile, SubmittingDoesNotWait) {
    bool go = false, done = false;
    std::mutex mutex;
    host_task(queue, "wait", [&](ThreadPool&) {
        for (;;) {
            const std::lock_guard lock(mutex);
            if (go) break;
        }
        done = true;
    });
    const Event event = queue.record();
    EXPECT_FALSE(event.ready());
    {
        const std::lock_guard lock(mutex);
        go = true;
    }
    queue.synchronize();
    EXPECT_TRUE(event.ready());
    EXPECT_TRUE(done);
}

TEST_F(Hostile, QueuesWithoutEventsAreNotOrdered) {
    // The first queue's work can only end after the second's, submitted later, has begun.
    Queue other(device);
    std::atomic<bool> second{false};
    host_task(queue, "first", [&](ThreadPool&) {
        while (!second) std::this_thread::yield();
    });
    host_task(other, "second", [&](ThreadPool&) { second = true; });
    queue.synchronize();
    other.synchronize();
    EXPECT_TRUE(second);
}

TEST_F(Hostile, WorkAfterAFailureIsSkippedUntilItIsSeen) {
    int calls = 0;
    host_task(queue, "fail", [](ThreadPool&) { throw std::runtime_error("first"); });
    host_task(queue, "after", [&](ThreadPool&) { ++calls; });
    host_task(queue, "fail again", [](ThreadPool&) { throw std::runtime_error("second"); });
    try {
        queue.synchronize();
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "first");
    }
    EXPECT_EQ(calls, 0);
    host_task(queue, "after", [&](ThreadPool&) { ++calls; });
    queue.synchronize();
    EXPECT_EQ(calls, 1);
}

TEST_F(Hostile, FunctionsAreNotCalledAfterAFailure) {
    int calls = 0;
    const auto count = [](void* data) { ++*static_cast<int*>(data); };
    host_task(queue, "fail", [](ThreadPool&) { throw std::runtime_error("first"); });
    queue.call(count, &calls);
    EXPECT_THROW(queue.synchronize(), std::runtime_error);
    EXPECT_EQ(calls, 0);
}

TEST_F(Hostile, PinnedMemoryIsTheHostsToo) {
    Buffer<int> buffer(queue, 10, Resource::pinned);
    fill(queue, buffer.view(), 3);
    queue.synchronize();
    EXPECT_EQ(buffer.data()[9], 3);
}

TEST_F(HostileDeathTest, HiddenHostAccessCrashes) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Buffer<double> buffer(queue, 100);
    fill(queue, buffer.view(), 1.0);
    queue.synchronize();
    volatile double* hidden = buffer.data();
    EXPECT_DEATH(hidden[7] = 2.0, "");
    EXPECT_DEATH({ [[maybe_unused]] const double value = hidden[7]; }, "");
}

TEST_F(HostileDeathTest, CalledFunctionsCannotTouchDeviceMemory) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Buffer<int> buffer(queue, 100);
    const auto touch = [](void* data) { *static_cast<volatile int*>(data) = 1; };
    EXPECT_DEATH(
        {
            queue.call(touch, buffer.data());
            queue.synchronize();
        },
        "");
}

TEST_F(HostileDeathTest, AccessAfterHostAccessCrashes) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Buffer<int> buffer(queue, 100, Resource::plain);
    {
        const HostAccess access(queue);
        buffer.data()[0] = 1;
    }
    volatile int* hidden = buffer.data();
    EXPECT_DEATH(hidden[0] = 2, "");
}

}  // namespace
}  // namespace aureole::device
