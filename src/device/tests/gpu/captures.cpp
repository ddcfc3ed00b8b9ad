// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/graph.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "device/tests/kernels.hpp"

// Memory of a GPU while one of its queues records a step.
namespace aureole::device {
namespace {

constexpr std::int64_t n = 1000, many = 100'000;

class GpuCaptures : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const DeviceInfo& row : list_devices())
            if (row.name != "host" && !row.available) GTEST_SKIP() << "no GPU: " << row.why;
    }
    static void count(Queue& queue, Buffer<std::int64_t>& buffer) {
        parallel_for(queue, "count", buffer.size(), testing::Count{buffer.view()});
    }
    static std::int64_t value_at(Queue& queue, Buffer<std::int64_t>& buffer, int i) {
        std::vector<std::int64_t> values(buffer.size());
        copy_to_host(queue, values.data(), buffer.view());
        return values[i];
    }
};

/// Another queue takes none of the recording one's free blocks, whose work it would wait for.
TEST_F(GpuCaptures, LeaveOthersTheirMemory) {
    Device device = Device::gpu(0);
    Queue recording(device), other(device);
    Buffer<std::int64_t> recorded(recording, n), at_once(other, n);
    { const Buffer<std::int64_t> gone(recording, many); }
    fill(other, at_once.view(), std::int64_t{-1});
    const auto use_memory = [&] {
        const Buffer<std::int64_t> taken(other, many);
        count(other, at_once);
        other.synchronize();
    };
    const Graph graph = Graph::capture(recording, [&] {
        count(recording, recorded);
        use_memory();
        EXPECT_EQ(value_at(other, at_once, 5), 5);
        std::thread(use_memory).join();
    });
    graph.replay(recording);
    EXPECT_EQ(value_at(recording, recorded, 7), 7);
}

/// What is given back meanwhile leaves no error for the next launch, and is no part of the step.
TEST_F(GpuCaptures, LetOthersGiveMemoryBack) {
    Device device = Device::gpu(0);
    Queue recording(device), other(device);
    Buffer<std::int64_t> recorded(recording, n), counted(other, n);
    auto plain = std::make_unique<Buffer<std::int64_t>>(other, n, Resource::plain);
    auto own = std::make_unique<Buffer<std::int64_t>>(recording, n);
    const Graph graph = Graph::capture(recording, [&] {
        count(recording, recorded);
        own.reset();
        std::thread([&] {
            plain.reset();
            EXPECT_NO_THROW(count(other, counted));
        }).join();
    });
    Buffer<std::int64_t> next(recording, n);
    fill(recording, next.view(), std::int64_t{7});
    graph.replay(recording);
    EXPECT_EQ(value_at(recording, next, 0), 7);
    EXPECT_EQ(value_at(other, counted, 9), 9);
}

/// Recorded reductions use memory of their queue, which may end before the step.
TEST_F(GpuCaptures, KeepTheMemoryOfTheirQueue) {
    Device device = Device::gpu(0);
    Queue queue(device);
    Buffer<std::int64_t> sum(queue, 1);
    Graph graph;
    {
        Queue recording(device);
        graph = Graph::capture(recording, [&] {
            parallel_reduce<std::int64_t>(recording, "sum", many, 0, testing::IndexModulo{7}, Sum{},
                                          sum.data());
        });
    }
    Buffer<std::int64_t> other(queue, 8192, Resource::plain);
    fill(queue, other.view(), std::int64_t{42});
    graph.replay(queue);
    std::vector<std::int64_t> values(8192);
    copy_to_host(queue, values.data(), other.view());
    EXPECT_EQ(values, std::vector<std::int64_t>(8192, 42));
    std::int64_t wanted = 0;
    for (std::int64_t i = 0; i < many; ++i) wanted += i % 7;
    EXPECT_EQ(value_at(queue, sum, 0), wanted);
}

/// Queues begin and end while another thread gives memory back, for which all are waited for.
TEST_F(GpuCaptures, QueuesEndWhileOthersGiveMemoryBack) {
    Device device = Device::gpu(0);
    std::thread ends([&] {
        for (int k = 0; k < 200; ++k) Queue{device};
    });
    Queue queue(device);
    for (int k = 0; k < 200; ++k) const Buffer<char> plain(queue, 100, Resource::plain);
    ends.join();
    EXPECT_NO_THROW(queue.synchronize());
}

}  // namespace
}  // namespace aureole::device
