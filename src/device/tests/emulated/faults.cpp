// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/emulated/fibers.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "device/tests/emulated/kernels.hpp"
#include "device/tests/kernels.hpp"

// What the emulated GPU finds, by kernel, block and lane.
namespace aureole::device {
namespace {

using testing::Mistake;

/// Ends the process with what a launch throws: after a kernel's fault a GPU is of no more use.
template <class F>
void tell_fault(const F& work) {
    try {
        Device device = Device::gpu();
        Queue queue(device);
        Buffer<std::int32_t> out(queue, 100);
        work(queue, out.view());
        queue.synchronize();
        std::_Exit(0);
    } catch (const core::DeviceError& error) {
        std::fputs(error.what(), stderr);
        std::_Exit(3);
    }
}

class EmulatedFaults : public ::testing::Test {
  protected:
    template <class Kernel>
    static void expect(int size, const std::string& text) {
        GTEST_FLAG_SET(death_test_style, "threadsafe");
        const auto work = [size](Queue& queue, View<std::int32_t> out) {
            team_for(queue, "wrong", {20, size, 64}, Kernel{out});
        };
        EXPECT_EXIT(tell_fault(work), ::testing::ExitedWithCode(3), text);
    }
};

TEST_F(EmulatedFaults, ALaneThatReturnsEarly) {
    expect<testing::WrongTeam<Mistake::early_return>>(
        8,
        "kernel \"wrong\", block 0, lane 29: it has ended, but lane 24 waits for it in sync of a "
        "team");
}

TEST_F(EmulatedFaults, LanesAtDifferentCalls) {
    expect<testing::WrongTeam<Mistake::missed_barrier>>(
        8,
        "kernel \"wrong\", block 0, lane 29: an exchange of 8 lanes, while others wait in sync of "
        "a team of 8");
}

TEST_F(EmulatedFaults, ABarrierThatALaneMisses) {
    expect<testing::WrongBlock<Mistake::missed_barrier>>(
        64,
        "kernel \"wrong\", block 0, lane 40: it has ended, but lane 0 waits for it in a barrier "
        "of the block");
}

TEST_F(EmulatedFaults, ABlockWithTooMuchMemory) {
    expect<testing::WrongBlock<Mistake::much_memory>>(
        64,
        "kernel \"wrong\", block 0, lane 0: the block needs 98368 bytes of memory and has 65536");
}

TEST_F(EmulatedFaults, ALaneThatNeedsTooMuchStack) {
    expect<testing::WrongBlock<Mistake::deep_stack>>(
        64, "kernel \"wrong\", block 0, lane 0: it needs more than 1048576 bytes of stack");
}

TEST_F(EmulatedFaults, ALaneThatTouchesMemoryOfNobody) {
    expect<testing::WrongBlock<Mistake::astray>>(
        64, "kernel \"wrong\", block 0, lane 0: it touches memory that is not the device's");
}

TEST_F(EmulatedFaults, SettingsThatCannotBe) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto tell_seed = [](const char* seed) {
        setenv("AUREOLE_EMULATED_LATE", seed, 1);
        tell_fault([](Queue&, View<std::int32_t>) {});
    };
    const auto with = ::testing::ExitedWithCode(3);
    EXPECT_EXIT(tell_seed("-1"), with, "AUREOLE_EMULATED_LATE=-1 is no seed");
    EXPECT_EXIT(tell_seed("7x"), with, "AUREOLE_EMULATED_LATE=7x is no seed");
    EXPECT_EXIT(tell_seed("7"), ::testing::ExitedWithCode(0), "");
    EXPECT_THROW(emulated::set_wavefront(48), core::DeviceError);
}

/// What the pool keeps is given back where other memory would be short.
TEST_F(EmulatedFaults, PlainMemoryComesFromThePoolsFreeBlocks) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto on_a_small_gpu = [] {  // of 64 MB, the most in so much address space
        rlim_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlimit limit{pages * 4096 + (rlim_t{110} << 20), RLIM_INFINITY};
        setrlimit(RLIMIT_AS, &limit);
        tell_fault([](Queue& queue, View<std::int32_t>) {
            { const Buffer<char> pooled(queue, 40 << 20); }
            const Buffer<char> plain(queue, 36 << 20, Resource::plain);
        });
    };
    EXPECT_EXIT(on_a_small_gpu(), ::testing::ExitedWithCode(0), "");
}

TEST_F(EmulatedFaults, ScratchMemoryThatNoBlockHasIsRefusedAtTheLaunch) {
    Device device = Device::gpu();
    Queue queue(device);
    Buffer<std::int64_t> out(queue, 100);
    try {
        team_for(queue, "reverse", {5, 32, 96 << 10}, testing::Reverse{out.view(), 19});
        FAIL() << "nothing was thrown";
    } catch (const core::DeviceError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "reverse needs 98304 bytes of memory for each block (a block of this GPU has "
                  "65536). Run it on a host or on another GPU.");
    }
    team_for(queue, "reverse", {5, 32, 19 * 8}, testing::Reverse{out.view(), 19});
    EXPECT_NO_THROW(queue.synchronize());
}

TEST_F(EmulatedFaults, MoreLanesThanALaunchHas) {
    Device device = Device::gpu();
    Queue queue(device);
    try {
        parallel_for(queue, "count", std::int64_t{1} << 32, testing::Count{{nullptr, 0}});
        FAIL() << "nothing was thrown";
    } catch (const core::DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("at most 4294967295 lanes"), std::string::npos);
    }
}

/// Memory is NaN when it is new and when it is given back.
TEST_F(EmulatedFaults, MemoryIsNotANumberUntilItIsWritten) {
    Device device = Device::gpu();
    Queue queue(device);
    constexpr std::int64_t n = 1000;
    const auto not_a_number = [&](const Buffer<double>& buffer) {
        std::vector<double> values(n, 0.0);
        copy_to_host(queue, values.data(), buffer.view());
        for (const double value : values)
            if (value == value) return false;
        return true;
    };
    const double* place = nullptr;
    {
        Buffer<double> first(queue, n);
        EXPECT_TRUE(not_a_number(first));
        fill(queue, first.view(), 1.0);
        place = first.data();
    }
    const Buffer<double> again(queue, n);
    EXPECT_EQ(again.data(), place) << "a freed block is the same queue's at once";
    EXPECT_TRUE(not_a_number(again));
}

/// A block that one queue gives back while its kernels run becomes another's after them.
TEST_F(EmulatedFaults, ABlockOfAnotherQueueIsTakenAfterItsWork) {
    Device device = Device::gpu();
    Queue first(device), second(device);
    constexpr std::int64_t n = 20'000;
    for (int round = 0; round < 20; ++round) {
        Buffer<std::int64_t> kept(first, n);
        {
            Buffer<std::int64_t> lent(first, n);
            for (int k = 0; k < 3; ++k)
                parallel_for(first, "count", n, testing::Count{lent.view()});
            copy(first, kept.view(), lent.view());
        }
        Buffer<std::int64_t> taken(second, n);
        fill(second, taken.view(), std::int64_t{-1});
        second.synchronize(), first.synchronize();
        std::vector<std::int64_t> found(n);
        copy_to_host(second, found.data(), taken.view());
        EXPECT_EQ(found, std::vector<std::int64_t>(n, -1));
        copy_to_host(first, found.data(), kept.view());
        for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(found[i], i) << round;
    }
}

/// Whether memory is ordinary is an error for some runtimes, which no later launch may report.
TEST_F(EmulatedFaults, OrdinaryMemoryIsNoErrorOfTheNextLaunch) {
    Device device = Device::gpu();
    Queue queue(device);
    const std::vector<std::int32_t> values(100, 3);
    Buffer<std::int32_t> buffer(queue, 100);
    copy_from_host(queue, buffer.view(), values.data());
    EXPECT_NO_THROW(parallel_for(queue, "add", 100, testing::Add{buffer.view(), 1}));
}

TEST(Wavefronts, OfBothKindsHaveTheSameSums) {
    Device device = Device::gpu();
    Queue queue(device);
    constexpr std::int64_t n = 100'000;
    const unsigned usual = emulated::wavefront();
    std::vector<float> sums[2];
    double reduced[2];
    for (const int k : {0, 1}) {
        emulated::set_wavefront(k == 0 ? 32 : 64);
        Buffer<float> of_lanes(queue, 32);
        team_for(queue, "sum", {1, 32, 0}, testing::LaneSum{of_lanes.view()});
        sums[k].resize(32);
        copy_to_host(queue, sums[k].data(), of_lanes.view());
        Buffer<double> total(queue, 1);
        parallel_reduce<double>(queue, "harmonic", n, 0.0, testing::Harmonic{}, Sum{},
                                total.data());
        copy_to_host(queue, &reduced[k], total.view());
    }
    emulated::set_wavefront(usual);
    EXPECT_EQ(sums[0], sums[1]);
    EXPECT_EQ(reduced[0], reduced[1]);
}

}  // namespace
}  // namespace aureole::device
