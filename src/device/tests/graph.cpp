// SPDX-License-Identifier: Apache-2.0
#include "device/graph.hpp"

#include <stdexcept>
#include <thread>

#include "device/launch.hpp"
#include "device/tests/devices.hpp"
#include "device/tests/kernels.hpp"

namespace aureole::device {
namespace {

class Graphs : public testing::OnDevices {};

TEST_P(Graphs, ReplayEqualsEnqueueing) {
    constexpr std::int64_t n = 1500;
    Buffer<int> captured(queue, n), direct(queue, n);
    fill(queue, captured.view(), 1);
    fill(queue, direct.view(), 1);
    const auto step = [&](View<int> v) {
        parallel_for(queue, "add", n, testing::Add{v, 5});
        parallel_for(queue, "scale", n, testing::Scale{v, 2});
    };
    const Graph graph = Graph::capture(queue, [&] { step(captured.view()); });
    EXPECT_EQ(download(captured), std::vector<int>(n, 1)) << "capture must not run";
    for (int round = 0; round < 10; ++round) {
        graph.replay(queue);
        step(direct.view());
    }
    EXPECT_EQ(download(captured), download(direct));
}

TEST_P(Graphs, QueuesThatWaitForItTakePart) {
    Queue side(device);
    Buffer<int> values(queue, 1000);
    const View<int> v = values.view();
    fill(queue, v, 1);
    side.wait(queue.record());
    const Graph graph = Graph::capture(queue, [&] {
        parallel_for(queue, "add", 1000, testing::Add{v, 1});
        side.wait(queue.record());
        parallel_for(side, "scale", 1000, testing::Scale{v, 3});
        queue.wait(side.record());
        parallel_for(queue, "add", 1000, testing::Add{v, 1});
    });
    EXPECT_EQ(download(values)[999], 1);
    graph.replay(queue);
    graph.replay(queue);
    EXPECT_EQ(download(values), std::vector<int>(1000, ((1 + 1) * 3 + 1 + 1) * 3 + 1));
    // The side queue works for itself again.
    fill(side, v, 7);
    side.synchronize();
    EXPECT_EQ(download(values)[0], 7);
}

TEST_P(Graphs, RefusesWhatCannotBeReplayed) {
    EXPECT_THROW(Graph::capture(queue, [&] { queue.synchronize(); }), std::logic_error);
    EXPECT_THROW(Graph::capture(queue, [&] { Buffer<int>(queue, 5); }), std::logic_error);
    int value = 0;
    Buffer<int> buffer = upload(std::vector<int>{1});
    EXPECT_THROW(Graph::capture(queue, [&] { copy_to_host(queue, &value, buffer.view()); }),
                 std::logic_error);
    EXPECT_EQ(download(buffer)[0], 1);  // the queue is usable again
}

TEST_P(Graphs, OfOneThreadRefuseTheWorkOfAnother) {
    constexpr std::int64_t n = 1000;
    Buffer<int> values(queue, n);
    const View<int> v = values.view();
    fill(queue, v, 1);
    const Graph graph = Graph::capture(queue, [&] {
        parallel_for(queue, "scale", n, testing::Scale{v, 2});
        std::thread([&] {
            EXPECT_THROW(parallel_for(queue, "add", n, testing::Add{v, 7}), std::logic_error);
            EXPECT_THROW(fill(queue, v, 7), std::logic_error);
            EXPECT_THROW(queue.record(), std::logic_error);
        }).join();
    });
    graph.replay(queue);
    std::thread([&] { parallel_for(queue, "add", n, testing::Add{v, 1}); }).join();
    EXPECT_EQ(download(values), std::vector<int>(n, 3));
}

INSTANTIATE_TEST_SUITE_P(Devices, Graphs, ::testing::ValuesIn(testing::all_setups()),
                         testing::name_of);

}  // namespace
}  // namespace aureole::device
