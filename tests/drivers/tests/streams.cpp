// SPDX-License-Identifier: Apache-2.0
// Streams and events of the emulated devices: late by a seed, and always in order.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <random>
#include <thread>
#include <vector>

#include "driver.hpp"

namespace aureole::emulated::tests {
namespace {

constexpr int not_ready = 600;

int threads() {
    int n = 0;
    for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/task"))
        ++n;
    return n;
}

/// Work that holds a stream until it is let go.
class Gate {
  public:
    void hold(const Vendor& vendor, void* stream) {
        void (*wait)(void*) = [](void* self) {
            auto& open = static_cast<Gate*>(self)->open_;
            while (!open.load()) std::this_thread::yield();
        };
        EXPECT_EQ(vendor.run("LaunchHostFunc", stream, wait, static_cast<void*>(this)), 0);
    }
    void open() { open_ = true; }

  private:
    std::atomic<bool> open_{false};
};

TEST_P(Drivers, DoWorkAtOnceWithoutLateness) {
    passes("", [&] {
        const Vendor vendor(GetParam());
        const int before = threads();
        void* device = vendor.allocate(1000);
        const std::vector<char> ones(1000, 1);
        std::vector<char> read(1000);
        void* stream = vendor.stream();
        void* event = vendor.event();
        EXPECT_EQ(vendor.copy_on(device, ones.data(), 1000, stream), 0);
        EXPECT_EQ(vendor.run("EventRecord", event, stream), 0);
        EXPECT_EQ(vendor.run("EventQuery", event), 0);
        EXPECT_EQ(vendor.run("StreamQuery", stream), 0);
        vendor.copy(read.data(), device, 1000);
        EXPECT_EQ(read, ones);
        EXPECT_EQ(threads(), before) << "no thread is started";
    });
}

TEST_P(Drivers, AreLateAndInOrder) {
    passes("late=3000,seed=5", [&] {
        const Vendor vendor(GetParam());
        void* stream = vendor.stream();
        void* event = vendor.event();
        auto* device = static_cast<char*>(vendor.allocate(4096));
        int pending = 0;
        for (int trial = 0; trial < 20; ++trial) {
            for (int k = 0; k < 10; ++k)
                ASSERT_EQ(vendor.run("MemsetAsync", static_cast<void*>(device), trial + k,
                                     std::size_t{4096 - 100u * static_cast<unsigned>(k)}, stream),
                          0);
            ASSERT_EQ(vendor.run("EventRecord", event, stream), 0);
            pending += vendor.run("EventQuery", event) == not_ready;
            ASSERT_EQ(vendor.run("EventSynchronize", event), 0);
            EXPECT_EQ(vendor.run("StreamQuery", stream), 0);
            std::vector<char> read(4096);
            vendor.copy(read.data(), device, 4096);
            for (int at = 0; at < 4096; ++at) {
                const int last = std::min(9, (4095 - at) / 100);
                ASSERT_EQ(read[static_cast<std::size_t>(at)], trial + last) << at;
            }
        }
        EXPECT_EQ(pending, 20);
        EXPECT_GT(threads(), 1);
    });
}

/// Twenty pieces of work, each waited for, are late by 20 ms at most, and by 10 ms on average.
TEST_P(Drivers, AreLateByASeed) {
    passes("late=20000,seed=5", [&] {
        const Vendor vendor(GetParam());
        void* stream = vendor.stream();
        void* device = vendor.allocate(100);
        double total = 0;
        for (int k = 0; k < 20; ++k) {
            const auto begin = std::chrono::steady_clock::now();
            ASSERT_EQ(vendor.run("MemsetAsync", device, k, std::size_t{100}, stream), 0);
            ASSERT_EQ(vendor.run("StreamSynchronize", stream), 0);
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
            total += taken.count();
        }
        EXPECT_GT(total, 0.1);
    });
}

/// A stream that is blocking waits for the default stream and the other way round; one that is
/// not goes its own way.
TEST_P(Drivers, OrderTheDefaultStreamWithBlockingOnes) {
    passes("late=100", [&] {
        const Vendor vendor(GetParam());
        void* blocking = vendor.stream(0);
        void* free = vendor.stream(1);
        auto* device = static_cast<char*>(vendor.allocate(300));
        Gate gate;
        gate.hold(vendor, nullptr);
        ASSERT_EQ(vendor.run("MemsetAsync", static_cast<void*>(device), 1, std::size_t{100}, free),
                  0);
        ASSERT_EQ(vendor.run("MemsetAsync", static_cast<void*>(device + 100), 1, std::size_t{100},
                             blocking),
                  0);
        EXPECT_EQ(vendor.run("StreamSynchronize", free), 0) << "not held by the default stream";
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        EXPECT_EQ(vendor.run("StreamQuery", blocking), not_ready);
        gate.open();
        EXPECT_EQ(vendor.run("StreamSynchronize", blocking), 0);

        Gate second;
        second.hold(vendor, blocking);
        ASSERT_EQ(vendor.run("MemsetAsync", static_cast<void*>(device + 200), 1, std::size_t{100},
                             static_cast<void*>(nullptr)),
                  0);
        EXPECT_EQ(vendor.run("StreamQuery", static_cast<void*>(nullptr)), not_ready);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        EXPECT_EQ(vendor.run("StreamQuery", static_cast<void*>(nullptr)), not_ready);
        second.open();
        EXPECT_EQ(vendor.run("DeviceSynchronize"), 0);
        std::vector<char> read(300);
        vendor.copy(read.data(), device, 300);
        EXPECT_EQ(read, std::vector<char>(300, 1));
    });
}

/// Pageable memory is read before the call returns, pinned memory when the copy's turn comes.
TEST_P(Drivers, ReadPageableMemoryAtTheCallAndPinnedMemoryLater) {
    passes("late=100", [&] {
        const Vendor vendor(GetParam());
        void* stream = vendor.stream();
        auto* device = static_cast<char*>(vendor.allocate(200));
        std::vector<char> pageable(100, 3);
        void* pinned = nullptr;
        ASSERT_EQ(vendor.run("MallocHost", &pinned, std::size_t{100}), 0);
        std::fill_n(static_cast<char*>(pinned), 100, 3);
        Gate gate;
        gate.hold(vendor, stream);
        ASSERT_EQ(vendor.copy_on(device, pageable.data(), 100, stream), 0);
        ASSERT_EQ(vendor.copy_on(device + 100, pinned, 100, stream), 0);
        pageable.assign(100, 4);
        std::fill_n(static_cast<char*>(pinned), 100, 4);
        gate.open();
        ASSERT_EQ(vendor.run("StreamSynchronize", stream), 0);
        std::vector<char> read(200);
        vendor.copy(read.data(), device, 200);
        EXPECT_EQ(read[0], 3);
        EXPECT_EQ(read[100], 4);
        // a copy to pageable memory has been made when the call returns
        ASSERT_EQ(
            vendor.run("MemsetAsync", static_cast<void*>(device), 8, std::size_t{200}, stream), 0);
        ASSERT_EQ(vendor.copy_on(read.data(), device, 200, stream), 0);
        EXPECT_EQ(read, std::vector<char>(200, 8));
    });
}

TEST_P(Drivers, DoNotWaitForSynchronousCopiesBetweenDevices) {
    passes("late=100", [&] {
        const Vendor vendor(GetParam());
        auto* device = static_cast<char*>(vendor.allocate(200));
        Gate gate;
        gate.hold(vendor, nullptr);
        EXPECT_EQ(vendor.run("Memset", static_cast<void*>(device), 6, std::size_t{200}), 0);
        vendor.copy(device + 100, device, 100);
        EXPECT_EQ(vendor.run("StreamQuery", static_cast<void*>(nullptr)), not_ready);
        gate.open();
        std::vector<char> read(100);
        vendor.copy(read.data(), device + 100, 100);
        EXPECT_EQ(read, std::vector<char>(100, 6));
    });
}

TEST_P(Drivers, LetStreamsWaitForEvents) {
    passes("late=200", [&] {
        const Vendor vendor(GetParam());
        void* first = vendor.stream(1);
        void* second = vendor.stream(1);
        void* event = vendor.event();
        void* device = vendor.allocate(100);
        Gate gate;
        gate.hold(vendor, first);
        ASSERT_EQ(vendor.run("MemsetAsync", device, 1, std::size_t{100}, first), 0);
        ASSERT_EQ(vendor.run("EventRecord", event, first), 0);
        ASSERT_EQ(vendor.run("StreamWaitEvent", second, event, 0u), 0);
        ASSERT_EQ(vendor.run("MemsetAsync", device, 2, std::size_t{50}, second), 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        EXPECT_EQ(vendor.run("StreamQuery", second), not_ready);
        EXPECT_EQ(vendor.run("EventQuery", event), not_ready);
        float ms = -1;
        EXPECT_EQ(vendor.run("EventElapsedTime", &ms, event, event), not_ready);
        gate.open();
        ASSERT_EQ(vendor.run("StreamSynchronize", second), 0);
        EXPECT_EQ(vendor.run("EventElapsedTime", &ms, event, event), 0);
        EXPECT_EQ(ms, 0.0f);
        std::vector<char> read(100);
        vendor.copy(read.data(), device, 100);
        EXPECT_EQ(read[49], 2);
        EXPECT_EQ(read[50], 1);
    });
}

/// Random programs of several streams, whose order is given by events alone, against the same
/// program on the host.
void run_program(const Vendor& vendor, unsigned seed) {
    constexpr std::size_t size = 256;
    constexpr std::size_t buffers = 6;
    std::mt19937 random(seed);
    const auto pick = [&](std::size_t most) { return random() % most; };
    std::vector<std::vector<unsigned char>> expected(buffers, std::vector<unsigned char>(size));
    std::vector<void*> device(buffers);
    std::vector<void*> last(buffers);  // event of the last work on each buffer
    std::vector<void*> streams = {nullptr, vendor.stream(0), vendor.stream(1), vendor.stream(1)};
    for (auto& each : device) each = vendor.allocate(size);
    for (auto& each : last) each = vendor.event(2);
    for (void* each : device) ASSERT_EQ(vendor.run("Memset", each, 0, size), 0);
    ASSERT_EQ(vendor.run("DeviceSynchronize"), 0);
    for (int step = 0; step < 60; ++step) {
        void* stream = streams[pick(streams.size())];
        const std::size_t to = pick(buffers);
        const std::size_t from = pick(buffers);
        for (const std::size_t each : {to, from})
            ASSERT_EQ(vendor.run("StreamWaitEvent", stream, last[each], 0u), 0);
        const std::size_t begin = pick(size / 2);
        const std::size_t length = 1 + pick(size / 2);
        auto* target = static_cast<unsigned char*>(device[to]) + begin;
        if (to != from && pick(2)) {
            ASSERT_EQ(vendor.copy_on(target, device[from], length, stream), 0);
            std::copy_n(expected[from].begin(), length, expected[to].begin() + long(begin));
        } else {
            ASSERT_EQ(vendor.run("MemsetAsync", static_cast<void*>(target), step, length, stream),
                      0);
            std::fill_n(expected[to].begin() + long(begin), length, step);
        }
        for (const std::size_t each : {to, from})
            ASSERT_EQ(vendor.run("EventRecord", last[each], stream), 0);
    }
    for (std::size_t k = 0; k < buffers; ++k) {
        std::vector<unsigned char> read(size);
        ASSERT_EQ(vendor.run("EventSynchronize", last[k]), 0);
        vendor.copy(read.data(), device[k], size);
        ASSERT_EQ(read, expected[k]) << "seed " << seed << ", buffer " << k;
        vendor.free(device[k]);
        ASSERT_EQ(vendor.run("EventDestroy", last[k]), 0);
    }
    for (std::size_t k = 1; k < streams.size(); ++k)
        ASSERT_EQ(vendor.run("StreamDestroy", streams[k]), 0);
}

TEST_P(Drivers, RunRandomProgramsAsOnTheHost) {
    passes("late=100,seed=9", [&] {
        const Vendor vendor(GetParam());
        for (unsigned seed = 0; seed < 40; ++seed) run_program(vendor, seed);
    });
}

/// Work may be given by several threads, each to its own default stream.
TEST_P(Drivers, ServeSeveralThreads) {
    passes("late=50", [&] {
        const Vendor vendor(GetParam());
        auto* const own = reinterpret_cast<void*>(2);
        std::vector<std::thread> all;
        std::atomic<int> right{0};
        for (int k = 1; k <= 4; ++k)
            all.emplace_back([&, k] {
                for (int round = 0; round < 50; ++round) {
                    void* at = nullptr;
                    if (vendor.run("Malloc", &at, std::size_t{1000})) return;
                    std::vector<char> read(1000);
                    if (vendor.run("MemsetAsync", at, k, std::size_t{1000}, own)) return;
                    if (vendor.copy_on(read.data(), at, 1000, own)) return;
                    if (vendor.run("Free", at)) return;
                    right += read == std::vector<char>(1000, static_cast<char>(k));
                }
            });
        for (auto& each : all) each.join();
        EXPECT_EQ(right, 200);
    });
}

TEST_P(Drivers, RecordGraphs) {
    passes("late=100", [&] {
        const Vendor vendor(GetParam());
        void* stream = vendor.stream();
        void* device = vendor.allocate(100);
        int capturing = 7;
        ASSERT_EQ(vendor.run("StreamIsCapturing", stream, &capturing), 0);
        EXPECT_EQ(capturing, 0);
        ASSERT_EQ(vendor.run("Memset", device, 1, std::size_t{100}), 0);
        ASSERT_EQ(vendor.run("DeviceSynchronize"), 0);
        ASSERT_EQ(vendor.run("StreamBeginCapture", stream, 0), 0);
        ASSERT_EQ(vendor.run("StreamIsCapturing", stream, &capturing), 0);
        EXPECT_EQ(capturing, 1);
        ASSERT_EQ(vendor.run("MemsetAsync", device, 5, std::size_t{100}, stream), 0);
        EXPECT_EQ(vendor.run("StreamSynchronize", stream), 900);
        void* graph = nullptr;
        ASSERT_EQ(vendor.run("StreamEndCapture", stream, &graph), 0);
        ASSERT_EQ(vendor.run("StreamSynchronize", stream), 0);
        std::vector<char> read(100);
        vendor.copy(read.data(), device, 100);
        EXPECT_EQ(read[0], 1) << "recorded, not done";
        void* ready = nullptr;
        ASSERT_EQ(vendor.run("GraphInstantiateWithFlags", &ready, graph, 0ull), 0);
        ASSERT_EQ(vendor.run("GraphLaunch", ready, stream), 0);
        ASSERT_EQ(vendor.run("StreamSynchronize", stream), 0);
        vendor.copy(read.data(), device, 100);
        EXPECT_EQ(read, std::vector<char>(100, 5));
    });
}

}  // namespace
}  // namespace aureole::emulated::tests
