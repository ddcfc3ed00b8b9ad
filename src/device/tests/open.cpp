// SPDX-License-Identifier: Apache-2.0
#include "device/open.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "device/config.hpp"
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

TEST(OpenDevice, NumbersOfGpusAreReadFromNames) {
    for (const std::string kind : {"gpu", "cuda", "hip", "emulated"}) {
        EXPECT_EQ(gpu_index(kind), 0);
        EXPECT_EQ(gpu_index(kind + ":0"), 0);
        EXPECT_EQ(gpu_index(kind + ":12"), 12);
        for (const char* end : {":", ":x", ":1x", ":-1", ":1000", "0", "s:0"})
            EXPECT_EQ(gpu_index(kind + end), -1) << kind << end;
    }
    for (const char* name : {"host", "auto", "", ":0", "rocm:0"})
        EXPECT_EQ(gpu_index(name), -1) << name;
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
    for (const char* name : {"", "hosts", "host-lanes", "cuda:x", "rocm"})
        EXPECT_EQ(refusal<core::DeviceError>({.name = name}, 1),
                  "there is no device '" + std::string(name) +
                      "' (devices are auto, host, and gpu with a number, as gpu:0). "
                      "Run 'aureole doctor' for those of this machine.");
    EXPECT_NE(refusal<core::DeviceError>({.name = "gpu:999"}, 1), "");
}

TEST(OpenDevice, GpusOfAnotherVendorAreRefused) {
    for (const std::string kind : {"cuda", "hip", "emulated"}) {
        if (kind == gpu_vendor) continue;
        const std::string said = refusal<core::DeviceError>({.name = kind + ":9"}, 1);
        EXPECT_EQ(said.find("device " + kind + ":9 is not available (this build is for "), 0)
            << said;
        const std::string remedy =
            kind == "emulated" ? "are for tests of kernels" : "AUREOLE_GPU=" + kind;
        EXPECT_NE(said.find(remedy), std::string::npos) << said;
    }
}

}  // namespace
}  // namespace aureole::device
