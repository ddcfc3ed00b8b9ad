// SPDX-License-Identifier: Apache-2.0
#include "device/queue.hpp"

#include "device/launch.hpp"
#include "device/tests/devices.hpp"
#include "device/tests/kernels.hpp"

namespace aureole::device {
namespace {

class Queues : public testing::OnDevices {
  protected:
    Queue other{device, Priority::high};
};

TEST_P(Queues, DefaultEventIsReached) {
    const Event event;
    EXPECT_TRUE(event.ready());
    event.wait();
    queue.wait(event);
}

TEST_P(Queues, EventsOrderTwoQueues) {
    constexpr std::int64_t n = 2000;
    Buffer<int> values(queue, n);
    const View<int> v = values.view();
    fill(queue, v, 0);
    for (int round = 0; round < 30; ++round) {
        parallel_for(queue, "ping", n, testing::Add{v, 1});
        other.wait(queue.record());
        parallel_for(other, "pong", n, testing::Scale{v, 2});
        queue.wait(other.record());
    }
    int expected = 0;
    for (int round = 0; round < 30; ++round) expected = 2 * (expected + 1);
    EXPECT_EQ(download(values), std::vector<int>(n, expected));
}

TEST_P(Queues, HostWaitsForAnEvent) {
    Buffer<int> values(queue, 100'000);
    fill(queue, values.view(), 1);
    const Event event = queue.record();
    event.wait();
    EXPECT_TRUE(event.ready());
    // What the event covers, another queue sees without waiting.
    int value = 0;
    copy_to_host(other, &value, values.view().part(99'999, 1));
    EXPECT_EQ(value, 1);
}

TEST_P(Queues, TimedEventsMeasure) {
    const Event start = queue.record(Timing::yes);
    Buffer<int> values(queue, 1'000'000);
    fill(queue, values.view(), 1);
    const Event stop = queue.record(Timing::yes);
    stop.wait();
    EXPECT_GT(seconds_between(start, stop), 0.0);
    EXPECT_LT(seconds_between(start, stop), 1000.0);
    EXPECT_THROW(seconds_between(Event(), stop), std::logic_error);
}

TEST_P(Queues, DestructionWaitsForTheWork) {
    AUREOLE_HOST_ONLY();
    int done = 0;
    {
        Queue brief(device);
        for (int i = 0; i < 20; ++i) host_task(brief, "count", [&](ThreadPool&) { ++done; });
    }
    EXPECT_EQ(done, 20);
}

INSTANTIATE_TEST_SUITE_P(Devices, Queues, ::testing::ValuesIn(testing::all_setups()),
                         testing::name_of);

}  // namespace
}  // namespace aureole::device
