// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <vector>

#include "core/error.hpp"
#include "device/host/clocked_queue.hpp"
#include "device/launch.hpp"
#include "device/tests/devices.hpp"
#include "device/tests/kernels.hpp"

namespace aureole::device {
namespace {

using namespace std::chrono_literals;
using host::Clock;
using host::Turns;

const auto start = Clock::now();

TEST(ClockedTurns, AreServedSoManyAtATime) {
    Turns turns(2);
    std::vector<Clock::duration> ends;
    for (int queue = 0; queue < 5; ++queue) ends.push_back(turns.take(start, 200us) - start);
    EXPECT_EQ(ends, (std::vector<Clock::duration>{200us, 200us, 400us, 400us, 600us}));
}

TEST(ClockedTurns, OfOneQueueLeaveTheOtherServersFree) {
    Turns turns(2);
    auto end = start;
    for (int k = 0; k < 10; ++k) end = turns.take(end, 8us);
    EXPECT_EQ(end - start, 80us);
    EXPECT_EQ(turns.take(start + 1us, 8us) - start, 9us);
    EXPECT_EQ(turns.take(start + 2us, 8us) - start, 17us);
}

/// Seconds of this thread's processor.
double busy() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

class Clocked : public ::testing::Test {
  protected:
    static Device make(int at_once) {
        return Device::host(
            {.threads = 1, .clocked = {.at_once = at_once, .per_launch = 0.03, .per_item = 1e-5}});
    }
    static constexpr std::int64_t n = 1000;
    static constexpr double each = 0.03 + n * 1e-5;  ///< of a launch [s]
    static constexpr double rounding = 1e-8;         ///< to nanoseconds, of a few times
};

TEST_F(Clocked, EventsAreDueWhenADeviceHadDoneTheWork) {
    Device device = make(1);
    Queue queue(device);
    Buffer<std::int32_t> values(queue, n);
    fill(queue, values.view(), 1);
    EXPECT_TRUE(queue.record().ready());  // fills are free here
    const double before = busy();
    const auto begin = Clock::now();
    for (int k = 0; k < 2; ++k) parallel_for(queue, "add", n, testing::Add{values.view(), 1});
    EXPECT_EQ(values.data()[n - 1], 3);  // the effect is there at once
    const Event event = queue.record();
    const bool ready = event.ready(), in_time = Clock::now() < begin + 80ms;
    EXPECT_FALSE(ready && in_time);
    event.wait();
    EXPECT_TRUE(event.ready());
    EXPECT_GE(Clock::now() - begin, std::chrono::duration<double>(2 * each));
    EXPECT_LT(busy() - before, each);
    EXPECT_TRUE(queue.record().ready());
}

TEST_F(Clocked, FunctionsAreCalledWhenTheyAreDue) {
    Device device = make(1);
    Queue queue(device);
    const auto begin = Clock::now();
    parallel_for(queue, "nothing", n, [](std::int64_t) {});
    Clock::time_point called;
    queue.call([](void* when) { *static_cast<Clock::time_point*>(when) = Clock::now(); }, &called);
    queue.record().wait();
    EXPECT_GE(called - begin, std::chrono::duration<double>(each - rounding));
}

TEST_F(Clocked, QueuesAreServedSoManyAtATime) {
    for (const int at_once : {1, 3}) {
        Device device = make(at_once);
        std::vector<Queue> queues;
        for (int q = 0; q < 3; ++q) queues.emplace_back(device, QueueOptions{.threads = 1});
        Buffer<std::int32_t> values(queues[0], n);
        std::vector<Event> events;
        const auto begin = Clock::now();
        for (Queue& queue : queues) {
            parallel_for(queue, "add", n, testing::Add{values.view(), 1});
            events.push_back(queue.record(Timing::yes));
        }
        const double last = seconds_between(events[0], events[2]);
        const std::chrono::duration<double> submitting = Clock::now() - begin;
        if (at_once == 1) {
            EXPECT_GE(last, 2 * each - rounding);
        } else {
            EXPECT_LE(last, submitting.count());
        }
    }
}

TEST_F(Clocked, WaitsOfQueuesTakeTimeOnTheirDevice) {
    Device device = make(2);
    Queue queue(device), other(device);
    Buffer<std::int32_t> values(queue, n);
    const auto begin = Clock::now();
    parallel_for(queue, "add", n, testing::Add{values.view(), 1});
    const Event first = queue.record(Timing::yes);
    other.wait(first);
    parallel_for(other, "add", n, testing::Add{values.view(), 1});
    const Event second = other.record(Timing::yes);
    EXPECT_GE(seconds_between(first, second), each - rounding);
    const bool ready = first.ready(), in_time = Clock::now() < begin + 40ms;
    EXPECT_FALSE(ready && in_time);  // the host did not wait
    other.synchronize();
    EXPECT_TRUE(second.ready());
}

TEST(ClockedOptions, AreRefusedForHostileHosts) {
    EXPECT_THROW(Device::host({.hostile = true, .clocked = {.at_once = 1}}), core::InputError);
}

}  // namespace
}  // namespace aureole::device
