// SPDX-License-Identifier: Apache-2.0
#include "device/queue.hpp"

#include "device/graph.hpp"
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

TEST_P(Queues, EventsCarryTheFirstError) {
    AUREOLE_HOST_ONLY();
    const auto fail = [&](const char* what) {
        host_task(queue, what, [what](ThreadPool&) { throw std::runtime_error(what); });
    };
    const auto what = [](auto&& f) -> std::string {
        try {
            f();
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "nothing";
    };
    const Event before = queue.record();
    if (!device.hostile()) {
        EXPECT_EQ(what([&] { fail("first"); }), "first");  // at the call
        EXPECT_NO_THROW(queue.record().wait());
        return;
    }
    fail("first");
    const Event after = queue.record();
    fail("second");
    const Event later = queue.record();
    other.wait(after);
    const Event behind = other.record();
    EXPECT_NO_THROW(before.wait());
    for (const Event& event : {after, later, behind}) {
        EXPECT_EQ(what([&] { event.wait(); }), "first");
        EXPECT_EQ(what([&] { event.ready(); }), "first");
    }
    EXPECT_EQ(what([&] { queue.synchronize(); }), "first");
    EXPECT_EQ(what([&] { other.synchronize(); }), "first");
    queue.record().wait();
    other.record().wait();
    EXPECT_EQ(what([&] { after.wait(); }), "first");
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

TEST_P(Queues, MayHaveThreadsOfTheirOwn) {
    AUREOLE_HOST_ONLY();
    EXPECT_EQ(queue.threads(), GetParam().threads);
    for (const int threads : {1, 3}) {
        Queue own(device, {.threads = threads});
        EXPECT_EQ(own.threads(), threads);
        int size = 0;
        host_task(own, "size", [&](ThreadPool& pool) {
            EXPECT_NE(&pool, &device.threads());
            pool.run_at_once([&](int rank) {
                if (rank == 0) size = pool.size();
            });
        });
        own.synchronize();
        EXPECT_EQ(size, threads);
    }
}

TEST_P(Queues, CallFunctionsInOrder) {
    std::vector<int> calls;  // guarded by the order of the queue alone
    struct Call {
        std::vector<int>& calls;
        int number;
    };
    Call call[]{{calls, 0}, {calls, 1}, {calls, 2}};
    const auto add = [](void* data) {
        auto& [into, number] = *static_cast<Call*>(data);
        into.push_back(number);
    };
    Buffer<std::int32_t> values(queue, 10'000);
    for (Call& each : call) {
        fill(queue, values.view(), each.number);
        queue.call(add, &each);
    }
    queue.record().wait();
    EXPECT_EQ(calls, (std::vector{0, 1, 2}));
    const Graph graph = Graph::capture(queue, [&] {
        parallel_for(queue, "add", 1000, testing::Add{values.view(), 1});
        queue.call(add, &call[2]);
    });
    EXPECT_EQ(calls.size(), 3u);
    graph.replay(queue);
    graph.replay(queue);
    queue.call(add, &call[0]);
    queue.synchronize();
    EXPECT_EQ(calls, (std::vector{0, 1, 2, 2, 2, 0}));
    if (GetParam().gpu || GetParam().clocked) return;
    host_task(queue, "before", [&](ThreadPool&) { calls.push_back(10); });
    queue.call(add, &call[1]);
    host_task(queue, "behind", [&](ThreadPool&) { calls.push_back(20); });
    queue.synchronize();
    EXPECT_EQ(std::vector(calls.end() - 3, calls.end()), (std::vector{10, 1, 20}));
}

TEST_P(Queues, CountWhatTheyWereAskedFor) {
    const auto all = [](const QueueCounts& c) {
        return std::vector{c.looks,  c.allocations, c.launches, c.items,
                           c.copies, c.bytes,       c.events};
    };
    EXPECT_EQ(all(queue.counts()), std::vector<std::int64_t>(7, 0));
    Buffer<std::int32_t> values(queue, 1000), sum(queue, 1);
    fill(queue, values.view(), 1);
    EXPECT_EQ(all(queue.counts()), (std::vector<std::int64_t>{0, 2, 0, 0, 1, 4000, 0}));
    parallel_for(queue, "add", 1000, testing::Add{values.view(), 1});
    parallel_for(queue, "nothing", 0, testing::Add{values.view(), 1});
    team_for(queue, "sum", {1, 8, 0}, testing::RowSums{values.view(), sum.view(), 1000});
    queue.record();
    EXPECT_EQ(all(queue.counts()), (std::vector<std::int64_t>{0, 2, 2, 1001, 1, 4000, 1}));
    const Graph graph = Graph::capture(queue, [&] {
        parallel_for(queue, "scale", 500, testing::Scale{values.view(), 2});
        copy(queue, sum.view(), Input<std::int32_t>(values.view().part(5, 1)));
    });
    graph.replay(queue);
    EXPECT_EQ(download(sum)[0], 4);
    values.resize(queue, 1001, Keep::yes);
    EXPECT_EQ(all(queue.counts()), (std::vector<std::int64_t>{1, 3, 4, 1501, 4, 8008, 1}));
    EXPECT_EQ(all(other.counts()), std::vector<std::int64_t>(7, 0));
}

TEST_P(Queues, OfOneThreadWorkInsideARun) {
    AUREOLE_HOST_ONLY();
    constexpr std::int64_t n = 2000;
    constexpr int count = 128;
    std::vector<Queue> queues;
    for (int q = 0; q < count; ++q) queues.emplace_back(device, QueueOptions{.threads = 1});
    Buffer<std::int32_t> values(queue, n * count), sums(queue, count);
    fill(queue, values.view(), 1);
    queue.synchronize();
    device.threads().run([&](int rank) {
        const Range mine = part_of(count, rank, device.threads().size());
        for (auto q = mine.begin; q < mine.end; ++q) {
            const auto part = values.view().part(n * q, n);
            const auto sum = sums.view().part(q, 1);
            parallel_for(queues[q], "add", n, testing::Add{part, static_cast<int>(q)});
            team_for(queues[q], "sum", {1, 4, 64}, testing::RowSums{part, sum, n});
        }
    });
    for (Queue& each : queues) each.synchronize();
    const auto found = download(sums);
    for (int q = 0; q < count; ++q) EXPECT_EQ(found[q], n * (1 + q));
}

INSTANTIATE_TEST_SUITE_P(Devices, Queues, ::testing::ValuesIn(testing::all_setups()),
                         testing::name_of);

}  // namespace
}  // namespace aureole::device
