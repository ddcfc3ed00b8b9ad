// SPDX-License-Identifier: Apache-2.0
// The keys of the environment variable AUREOLE_DOUBLE.
#include <chrono>
#include <fstream>
#include <sstream>
#include <vector>

#include "driver.hpp"

namespace aureole::emulated::tests {
namespace {

using Clock = std::chrono::steady_clock;

TEST_P(Drivers, FailTheCallThatIsNamed) {
    const Vendor names(GetParam());
    passes("fail=" + names.runtime_name("Malloc") + ":3:2", [&] {
        const Vendor vendor(GetParam());
        std::vector<int> results;
        for (int k = 0; k < 5; ++k) {
            void* at = nullptr;
            results.push_back(vendor.run("Malloc", &at, std::size_t{100}));
        }
        EXPECT_EQ(results, (std::vector<int>{0, 0, 2, 0, 0}));
        EXPECT_EQ(vendor.run("GetLastError"), 2);
        EXPECT_EQ(vendor.count(vendor.runtime_name("Malloc")), 5);
    });
}

/// Every call of a short program fails once; each time exactly that call gives the code.
TEST(Cuda, FailsEachCallOfADriverInTurn) {
    constexpr int calls = 6;
    for (int n = 1; n <= calls; ++n)
        passes("fail=*:" + std::to_string(n) + ":77", [n] {
            const Vendor vendor("cuda");
            void* context = nullptr;
            void* at = nullptr;
            char byte = 1;
            std::vector<int> results;
            results.push_back(vendor.drive("Init", 0u));
            if (n == 1) {
                EXPECT_EQ(vendor.drive("Init", 0u), 0);
            }
            results.push_back(vendor.drive("DevicePrimaryCtxRetain", &context, 0));
            if (n == 2) {
                EXPECT_EQ(vendor.drive("DevicePrimaryCtxRetain", &context, 0), 0);
            }
            results.push_back(vendor.drive("CtxSetCurrent", context));
            if (n == 3) {
                EXPECT_EQ(vendor.drive("CtxSetCurrent", context), 0);
            }
            results.push_back(vendor.drive("MemAlloc", &at, std::size_t{1}));
            if (n == 4) {
                EXPECT_EQ(vendor.drive("MemAlloc", &at, std::size_t{1}), 0);
            }
            results.push_back(
                vendor.drive("Memcpy", at, static_cast<const void*>(&byte), std::size_t{1}));
            results.push_back(vendor.drive("MemFree", at));
            for (int k = 0; k < calls; ++k)
                EXPECT_EQ(results[static_cast<std::size_t>(k)], k + 1 == n ? 77 : 0) << k;
        });
}

/// The text that a child wrote to standard error before it ended.
std::string complaint_of(const std::string& vendor_name, const std::string& settings) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    const int status = in_child(settings, [&] {
        dup2(ends[1], 2);
        const Vendor vendor(vendor_name);
        int n = 0;
        vendor.run("GetDeviceCount", &n);
    });
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << settings << ": " << status;
    close(ends[1]);
    std::string text(1000, 0);
    const auto n = read(ends[0], text.data(), text.size());
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    close(ends[0]);
    return text;
}

/// Functions have versions in the driver; a setting may name any.
TEST(Cuda, FailsFunctionsOfAnyVersion) {
    passes("fail=cuInit:2:5,fail=cuDeviceTotalMem_v2:1:6", [] {
        const Vendor vendor("cuda");
        std::size_t bytes = 0;
        EXPECT_EQ(vendor.drive("Init", 0u), 0);
        EXPECT_EQ(vendor.drive("Init", 0u), 5);
        EXPECT_EQ(vendor.drive("DeviceTotalMem", &bytes, 0), 6);
        EXPECT_EQ(vendor.drive("DeviceTotalMem_v2", &bytes, 0), 0);
        EXPECT_EQ(vendor.count("cuDeviceTotalMem"), 2);
    });
}

TEST_P(Drivers, EndWithOneLineOnWrongSettings) {
    for (const std::string wrong :
         {"latte=3", "late", "late=-1", "late=3x", "devices=two", "devices=99", "copy=3",
          "copy=1:x", "fail=cudaMalloc", "fail=open:3", "fail=cudaMalloc:0",
          GetParam() == "cuda" ? "fail=cuMemAlocAsync:1" : "fail=hipMaloc:1", "peer=2",
          "handles=fd+smoke", "bar=gdr+tender", "log=", "memory=0"}) {
        const std::string text = complaint_of(GetParam(), "seed=3," + wrong);
        EXPECT_EQ(text.rfind("AUREOLE_DOUBLE: ", 0), 0u) << wrong << ": " << text;
        EXPECT_NE(text.find(wrong.substr(0, wrong.find('='))), std::string::npos) << text;
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    }
}

TEST_P(Drivers, ShowTheDevicesThatAreVisible) {
    passes("devices=4", [&] {
        setenv(GetParam() == "cuda" ? "CUDA_VISIBLE_DEVICES" : "HIP_VISIBLE_DEVICES", "3,1", 1);
        const Vendor vendor(GetParam());
        int n = 0;
        ASSERT_EQ(vendor.run("GetDeviceCount", &n), 0);
        EXPECT_EQ(n, 2);
        char name[32];
        ASSERT_EQ(vendor.run("DeviceGetPCIBusId", &name[0], 32, 0), 0);
        EXPECT_STREQ(name, "0000:04:00.0");
    });
    passes("devices=0", [&] {
        const Vendor vendor(GetParam());
        int n = 7;
        EXPECT_EQ(vendor.run("GetDeviceCount", &n), 100);
        EXPECT_EQ(n, 0);
        void* at = nullptr;
        EXPECT_EQ(vendor.run("Malloc", &at, std::size_t{1}), 100);
    });
}

/// Ten copies of 1 MB at 5 ms and 10 GB/s take 10 · 5.1 ms at least; giving them takes less.
TEST_P(Drivers, GiveCopiesACost) {
    passes("copy=5000:10,late=1", [&] {
        const Vendor vendor(GetParam());
        constexpr std::size_t size = 1000000;
        void* pinned = nullptr;
        ASSERT_EQ(vendor.run("MallocHost", &pinned, size), 0);
        void* device = vendor.allocate(size);
        void* stream = vendor.stream(1);
        const auto begin = Clock::now();
        for (int k = 0; k < 10; ++k) ASSERT_EQ(vendor.copy_on(device, pinned, size, stream), 0);
        const std::chrono::duration<double, std::micro> given = Clock::now() - begin;
        ASSERT_EQ(vendor.run("StreamSynchronize", stream), 0);
        const std::chrono::duration<double, std::micro> taken = Clock::now() - begin;
        EXPECT_GE(taken.count(), 51000);
        EXPECT_LT(given.count(), 51000) << "the caller does not wait";
        EXPECT_EQ(vendor.count("copies:host_to_device"), 10);
        EXPECT_EQ(vendor.count("bytes:host_to_device"), 10 * static_cast<long>(size));
    });
}

TEST_P(Drivers, WriteALogAtExit) {
    const std::string file = testing::TempDir() + "aureole-double-" + std::to_string(getpid());
    for (int process = 0; process < 2; ++process)
        passes("log=" + file, [&] {
            const Vendor vendor(GetParam());
            void* at = vendor.allocate(100);
            std::vector<char> host(100);
            vendor.copy(at, host.data(), 100);
            vendor.copy(at, host.data(), 50);
            vendor.free(at);
        });
    std::ifstream lines(file);
    std::string line;
    int n = 0;
    for (; std::getline(lines, line); ++n) {
        const Vendor names(GetParam());
        EXPECT_NE(line.find("\"" + names.runtime_name("Memcpy") + "\":2"), std::string::npos)
            << line;
        EXPECT_NE(line.find("\"bytes\":{\"host_to_host\":0,\"host_to_device\":150,"),
                  std::string::npos)
            << line;
    }
    EXPECT_EQ(n, 2);
    std::remove(file.c_str());
}

}  // namespace
}  // namespace aureole::emulated::tests
