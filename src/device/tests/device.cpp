// SPDX-License-Identifier: Apache-2.0
#include "device/device.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "device/config.hpp"
#include "device/gpu/vendor/code_for.hpp"
#include "device/queue.hpp"
#include "device/threads/cpu_limits.hpp"

namespace aureole::device {
namespace {

TEST(HostDevice, TakesThreadsAsAsked) {
    EXPECT_EQ(Device::host({.threads = 3}).threads().size(), 3);
    EXPECT_EQ(Device::host().threads().size(), usable_threads());
}

TEST(HostDevice, RefusesNonsense) {
    EXPECT_THROW(Device::host({.threads = -1}), core::InputError);
    EXPECT_THROW(Device::host({.threads = 1'000'000}), core::InputError);
    EXPECT_THROW(Device::host({.team_threads = 3}), core::InputError);
}

TEST(HostDevice, SaysWhatItIs) {
    const Device device = Device::host({.threads = 2});
    EXPECT_NE(device.description().find("2 threads"), std::string::npos);
    EXPECT_EQ(device.backend(), Backend::host);
}

TEST(HostDevice, QueuesKeepTheirDevice) {
    Device first = Device::host({.threads = 1});
    Queue queue(first);
    const auto* state = first.state().get();
    {
        const Device second = std::move(first);
        EXPECT_EQ(queue.device().state(), second.state());
    }
    EXPECT_EQ(queue.device().state().get(), state);  // no handle but the queue's is left
    EXPECT_EQ(queue.device().threads().size(), 1);
}

TEST(HostDevice, EnvironmentTurnsOnHostileMode) {
    setenv("AUREOLE_HOSTILE", "1", 1);
    const bool hostile = Device::host({.threads = 1}).hostile();
    unsetenv("AUREOLE_HOSTILE");
    EXPECT_TRUE(hostile);
    EXPECT_FALSE(Device::host({.threads = 1}).hostile());
}

TEST(DeviceList, AbsentOnesAreRefusedWithAReason) {
    for (const DeviceInfo& row : list_devices()) {
        EXPECT_TRUE(row.available || !row.why.empty()) << row.name;
    }
    EXPECT_EQ(list_devices().front().name, "host");
    EXPECT_THROW(Device::gpu(4096), core::DeviceError);
}

TEST(DeviceList, CodeServesTheGpusThatItsArchitecturesSay) {
    constexpr auto usual = "80-real 90-real 100";
    EXPECT_FALSE(has_code_for(usual, "75"));  // T4
    EXPECT_TRUE(has_code_for(usual, "80"));   // A100
    EXPECT_TRUE(has_code_for(usual, "89"));   // L40: code for 8.0
    EXPECT_TRUE(has_code_for(usual, "90"));   // H100
    EXPECT_TRUE(has_code_for(usual, "100"));  // B200
    EXPECT_TRUE(has_code_for(usual, "120"));  // translated from that for 10.0
    EXPECT_FALSE(has_code_for("90-real", "89"));
    EXPECT_FALSE(has_code_for("90-real", "100"));
    EXPECT_TRUE(has_code_for("90", "100"));
    EXPECT_FALSE(has_code_for("86-real", "80"));
    EXPECT_TRUE(has_code_for("80-virtual", "90"));
    EXPECT_FALSE(has_code_for("", "90"));
    EXPECT_FALSE(has_code_for("75-real", "75"));  // older ones are not supported
}

TEST(DeviceList, CodeOfAmdServesGpusOfItsNameAndFeatures) {
    constexpr auto gpu = "gfx90a:sramecc+:xnack-";
    EXPECT_TRUE(has_code_for("gfx942 gfx90a", gpu));
    EXPECT_TRUE(has_code_for("gfx90a:xnack-", gpu));
    EXPECT_TRUE(has_code_for("gfx90a:sramecc+:xnack-", gpu));
    EXPECT_FALSE(has_code_for("gfx90a:xnack+", gpu));
    EXPECT_FALSE(has_code_for("gfx90 gfx942", gpu));
    EXPECT_TRUE(has_code_for("gfx1030", "gfx1030"));
    EXPECT_FALSE(has_code_for("gfx1030:xnack-", "gfx1030"));
    EXPECT_FALSE(has_code_for("", gpu));
}

}  // namespace
}  // namespace aureole::device
