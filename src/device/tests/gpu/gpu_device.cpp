// SPDX-License-Identifier: Apache-2.0
#include "device/device.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/error.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/tests/kernels.hpp"

namespace aureole::device {
namespace {

// The layer's other tests run on the GPU as well, where there is one (devices.hpp).
class GpuDevice : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const DeviceInfo& row : list_devices())
            if (row.name != "host" && !row.available) GTEST_SKIP() << "no GPU: " << row.why;
    }
};

TEST_F(GpuDevice, SaysWhatItIs) {
    Device device = Device::gpu(0);
    EXPECT_EQ(device.backend(), Backend::gpu);
    EXPECT_NE(device.description().find("multiprocessors"), std::string::npos);
    EXPECT_THROW(device.threads(), core::DeviceError);
}

TEST_F(GpuDevice, WhatItLacksIsRefusedByName) {
    Device device = Device::gpu(0);
    Queue queue(device);
    try {
        parallel_for(queue, "host lambda", 10, [](std::int64_t) {});
        FAIL() << "nothing was thrown";
    } catch (const core::DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("host lambda"), std::string::npos);
    }
    EXPECT_THROW(host_task(queue, "task", [](ThreadPool&) {}), core::DeviceError);
    EXPECT_THROW(HostAccess{queue}, core::DeviceError);
}

TEST_F(GpuDevice, SaysThatMemoryIsShort) {
    Device device = Device::gpu(0);
    Queue queue(device);
    EXPECT_THROW(Buffer<double>(queue, std::int64_t{1} << 45), core::DeviceError);
    Buffer<std::int32_t> buffer(queue, 100);
    fill(queue, buffer.view(), 1);
    EXPECT_NO_THROW(queue.synchronize());
}

TEST_F(GpuDevice, TeamsTakeLargeScratch) {
    Device device = Device::gpu(0);
    Queue queue(device);
    constexpr std::int64_t teams = 50, length = 2000;
    Buffer<std::int64_t> out(queue, teams * length);
    team_for(queue, "reverse", {teams, 32, length * std::int64_t{sizeof(std::int64_t)}},
             testing::Reverse{out.view(), length});
    std::vector<std::int64_t> found(teams * length);
    copy_to_host(queue, found.data(), out.view());
    for (std::int64_t i = 0; i < teams * length; ++i)
        ASSERT_EQ(found[i], 1000 * (i / length) + length - 1 - i % length) << i;
}

/// In a process of its own, which can use its GPU no more.
class GpuDeviceFaults : public GpuDevice {};

TEST_F(GpuDeviceFaults, AreToldWithHowToFindTheKernel) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto fault = [] {
        Device device = Device::gpu(0);
        Queue queue(device);
        const View<std::int32_t> nowhere{reinterpret_cast<std::int32_t*>(64), 1000};
        try {
            parallel_for(queue, "astray", 1000, testing::Add{nowhere, 1});
            queue.synchronize();
        } catch (const core::DeviceError& error) {
            std::fputs(error.what(), stderr);
            std::_Exit(3);
        }
    };
    EXPECT_EXIT(fault(), ::testing::ExitedWithCode(3),
                "failed on the GPU at or before .*(Run once more with [A-Z_]*=|is named above)");
}

}  // namespace
}  // namespace aureole::device
