// SPDX-License-Identifier: Apache-2.0
#include "device/open.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "device/threads/cpu_limits.hpp"

namespace aureole::device {
namespace {

template <class Error>
std::string refusal(const OpenOptions& options, int most_threads) {
    try {
        open(options, most_threads);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(OpenDevice, NumbersOfCudaDevicesAreReadFromNames) {
    EXPECT_EQ(cuda_index("cuda"), 0);
    EXPECT_EQ(cuda_index("cuda:0"), 0);
    EXPECT_EQ(cuda_index("cuda:12"), 12);
    for (const char* name : {"host", "auto", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "cuda:1000"})
        EXPECT_EQ(cuda_index(name), -1) << name;
}

TEST(OpenDevice, AHostHasTheThreadsAskedFor) {
    for (const char* name : {"auto", "host"}) {
        const Device device = open({.name = name, .threads = 3, .hostile = true}, 3);
        EXPECT_EQ(device.backend(), Backend::host);
        EXPECT_EQ(device.threads().size(), 3);
        EXPECT_TRUE(device.hostile());
    }
}

TEST(OpenDevice, AHostHasAtMostTheThreadsAllowed) {
    EXPECT_EQ(open({}, 1).threads().size(), 1);
    EXPECT_EQ(open({}, 10'000).threads().size(), usable_threads());
    EXPECT_EQ(refusal<core::InputError>({.threads = 4}, 3),
              "4 threads are too many (one simulation uses at most 3). Ask for 3 or fewer.");
}

TEST(OpenDevice, UnknownNamesAreRefused) {
    for (const char* name : {"", "hosts", "host-lanes", "cuda:x", "gpu"})
        EXPECT_EQ(refusal<core::DeviceError>({.name = name}, 1),
                  "there is no device '" + std::string(name) +
                      "' (devices are auto, host, cuda:0, cuda:1 and so on). Run 'aureole doctor' "
                      "for those of this machine.");
    EXPECT_NE(refusal<core::DeviceError>({.name = "cuda:999"}, 1), "");
}

}  // namespace
}  // namespace aureole::device
