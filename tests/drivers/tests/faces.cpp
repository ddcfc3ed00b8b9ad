// SPDX-License-Identifier: Apache-2.0
// The driver interfaces besides memory and streams: contexts, addresses apart from memory, kernels.
#include <sys/ptrace.h>
#include <sys/user.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "driver.hpp"

namespace {

void* (*host_address)(const void*) = nullptr;
std::atomic<int> launches{0};

}  // namespace

// Kernels of the tests: y = a x + y, with and without sizes of its parameters.
extern "C" {
__attribute__((visibility("default"))) void aureole_emulated_axpy(void** parameters, unsigned grid,
                                                                  unsigned block) {
    auto* y = static_cast<double*>(host_address(*static_cast<void**>(parameters[0])));
    auto* x = static_cast<double*>(host_address(*static_cast<void**>(parameters[1])));
    const double a = *static_cast<double*>(parameters[2]);
    const int n = *static_cast<int*>(parameters[3]);
    for (int k = 0; k < std::min(n, static_cast<int>(grid * block)); ++k) y[k] += a * x[k];
    ++launches;
}
__attribute__((visibility("default"))) unsigned long aureole_emulated_axpy_sizes[] = {8, 8, 8, 4,
                                                                                      0};
__attribute__((visibility("default"))) void aureole_emulated_plain(void** parameters, unsigned grid,
                                                                   unsigned block) {
    aureole_emulated_axpy(parameters, grid, block);
}
}

namespace aureole::emulated::tests {
namespace {

void* load_kernel(const Vendor& vendor, const char* name, int expected = 0) {
    void* module = nullptr;
    void* kernel = nullptr;
    EXPECT_EQ(vendor.drive("ModuleLoadData", &module, static_cast<const void*>("any image")), 0);
    EXPECT_EQ(vendor.drive("ModuleGetFunction", &kernel, module, name), expected);
    return kernel;
}

int launch(const Vendor& vendor, void* kernel, unsigned grid, unsigned block, void* stream,
           void** parameters) {
    return vendor.drive(vendor.is_nvidia() ? "LaunchKernel" : "ModuleLaunchKernel", kernel, grid,
                        1u, 1u, block, 1u, 1u, 0u, stream, parameters,
                        static_cast<void**>(nullptr));
}

TEST_P(Drivers, PlayKernelsByHostFunctions) {
    for (const char* name : {"axpy", "plain"})
        passes("late=500", [&] {
            const Vendor vendor(GetParam());
            host_address = [](const void* device) {
                static const Vendor same(testing::TestWithParam<std::string>::GetParam());
                return same.host(device);
            };
            void* stream = vendor.stream();
            vendor.drive("Init", 0u);
            load_kernel(vendor, "absent", 500);
            void* kernel = load_kernel(vendor, name);
            const std::vector<double> ones(100, 1.0);
            void* x = vendor.allocate(800);
            void* y = vendor.allocate(800);
            vendor.copy(x, ones.data(), 800);
            vendor.copy(y, ones.data(), 800);
            for (int k = 1; k <= 4; ++k) {  // the parameters of each launch are its own
                double a = k;
                int n = 100;
                void* parameters[] = {&y, &x, &a, &n};
                ASSERT_EQ(launch(vendor, kernel, 10, 8, stream, &parameters[0]), 0);
                a = 1e9;
                n = 0;
            }
            ASSERT_EQ(vendor.run("StreamSynchronize", stream), 0);
            std::vector<double> read(100);
            vendor.copy(read.data(), y, 800);
            EXPECT_EQ(read[79], 11.0);
            EXPECT_EQ(read[80], 1.0) << "no threads for the last 20";
            EXPECT_EQ(launches, 4);
        });
}

TEST_P(Drivers, TakeMemoryAndAddressesApart) {
    passes("", [&] {
        const Vendor vendor(GetParam());
        vendor.run("SetDevice", 0);
        vendor.drive("Init", 0u);
        constexpr std::size_t piece = std::size_t{2} << 20;
        const struct {
            int allocation_type = 1, kinds = 0, location_type = 1, location = 0;
            void* metadata = nullptr;
            long flags = 0;
        } wanted;
        const struct { int location_type = 1, location = 0, flags = 3; } access;
        std::size_t unit = 0;
        ASSERT_EQ(vendor.drive("MemGetAllocationGranularity", &unit, &wanted, 0), 0);
        EXPECT_EQ(unit, piece);
        char* at = nullptr;
        ASSERT_EQ(vendor.drive("MemAddressReserve", &at, 4 * piece, std::size_t{0},
                               static_cast<void*>(nullptr), 0ull),
                  0);
        std::array<void*, 2> handles{};
        for (auto& each : handles)
            ASSERT_EQ(vendor.drive("MemCreate", &each, piece, &wanted, 0ull), 0);
        for (std::size_t k = 0; k < 2; ++k)
            ASSERT_EQ(vendor.drive("MemMap", at + (k + 1) * piece, piece, std::size_t{0},
                                   handles[k], 0ull),
                      0);
        EXPECT_EQ(vendor.drive("MemMap", at + piece, piece, std::size_t{0}, handles[0], 0ull), 1)
            << "there is memory already";
        std::vector<char> host(2 * piece, 3);
        const auto copy = [&](void* to, const void* from, std::size_t n) {
            return vendor.run("Memcpy", to, from, n, 4);
        };
        EXPECT_EQ(copy(at + piece, host.data(), piece), 1) << "no access yet";
        ASSERT_EQ(vendor.drive("MemSetAccess", at + piece, 2 * piece, &access, std::size_t{1}), 0);
        EXPECT_EQ(copy(at + piece, host.data(), 2 * piece), 0) << "across two pieces";
        EXPECT_EQ(copy(at, host.data(), piece), 1);
        EXPECT_EQ(copy(at + 2 * piece, host.data(), piece + 1), 1);
        if (vendor.is_nvidia()) {
            const int attributes[] = {11, 12, 10, 1};  // range, older handle, context
            std::array<std::uint64_t, 4> values{};
            void* out[] = {&values[0], &values[1], &values[2], &values[3]};
            ASSERT_EQ(vendor.drive("PointerGetAttributes", 4u, &attributes[0], &out[0],
                                   static_cast<const void*>(at + 2 * piece)),
                      0);
            EXPECT_EQ(values[0], reinterpret_cast<std::uint64_t>(at)) << "of what is reserved";
            EXPECT_EQ(values[1], 4 * piece);
            EXPECT_EQ(values[2], 0u);
            EXPECT_EQ(values[3], 0u);
        }
        char* base = nullptr;
        std::size_t bytes = 0;
        ASSERT_EQ(vendor.drive("MemGetAddressRange", &base, &bytes, at + 2 * piece + 5), 0);
        EXPECT_EQ(base, at + 2 * piece) << "of what is mapped";
        EXPECT_EQ(bytes, piece);
        void* again = nullptr;
        ASSERT_EQ(vendor.drive("MemRetainAllocationHandle", &again, static_cast<void*>(at + piece)),
                  0);
        EXPECT_EQ(again, handles[0]);
        EXPECT_EQ(vendor.drive("MemAddressFree", at, 4 * piece), 1) << "memory is there";
        ASSERT_EQ(vendor.drive("MemUnmap", at + piece, 2 * piece), 0);
        for (void* each : {again, handles[0], handles[1]})
            EXPECT_EQ(vendor.drive("MemRelease", each), 0);
        EXPECT_EQ(vendor.drive("MemRelease", again), 1);
        EXPECT_EQ(vendor.live_bytes(0), 0);
        EXPECT_EQ(vendor.drive("MemAddressFree", at, 4 * piece), 0);
    });
}

TEST(Cuda, NeedsAContext) {
    passes("devices=3", [] {
        const Vendor vendor("cuda");
        void* at = nullptr;
        int value = 0;
        EXPECT_EQ(vendor.drive("DeviceGetCount", &value), 3) << "not initialised";
        ASSERT_EQ(vendor.drive("Init", 0u), 0);
        EXPECT_EQ(vendor.drive("DeviceGetCount", &value), 0);
        EXPECT_EQ(value, 3);
        EXPECT_EQ(vendor.drive("MemAlloc", &at, std::size_t{100}), 201);
        std::array<void*, 2> contexts{};
        void* now = nullptr;
        for (int k = 0; k < 2; ++k)
            ASSERT_EQ(vendor.drive("DevicePrimaryCtxRetain", &contexts[std::size_t(k)], k), 0);
        ASSERT_EQ(vendor.drive("CtxGetCurrent", &now), 0);
        EXPECT_EQ(now, nullptr);
        ASSERT_EQ(vendor.drive("CtxPushCurrent", contexts[0]), 0);
        ASSERT_EQ(vendor.drive("CtxPushCurrent", contexts[1]), 0);
        ASSERT_EQ(vendor.drive("CtxGetDevice", &value), 0);
        EXPECT_EQ(value, 1);
        ASSERT_EQ(vendor.drive("CtxPopCurrent", &now), 0);
        EXPECT_EQ(now, contexts[1]);
        ASSERT_EQ(vendor.drive("MemAlloc", &at, std::size_t{100}), 0);
        EXPECT_EQ(vendor.run("GetDevice", &value), 0) << "the runtime shares the thread's context";
        EXPECT_EQ(value, 0);
        std::thread([&] {
            void* other = nullptr;
            EXPECT_EQ(vendor.drive("CtxGetCurrent", &other), 0);
            EXPECT_EQ(other, nullptr) << "each thread has its own";
        }).join();
        ASSERT_EQ(vendor.drive("CtxEnablePeerAccess", contexts[1], 0u), 0);
        EXPECT_EQ(vendor.drive("CtxEnablePeerAccess", contexts[1], 0u), 704);
        ASSERT_EQ(vendor.drive("DevicePrimaryCtxReset", 0), 0);
        EXPECT_EQ(vendor.live_bytes(0), 0) << "its memory went with it";
        EXPECT_EQ(vendor.drive("MemAlloc", &at, std::size_t{100}), 709);
    });
}

TEST(Cuda, GivesItsFunctionsByName) {
    passes("", [] {
        const Vendor vendor("cuda");
        void* found = nullptr;
        int result = 7;
        EXPECT_EQ(vendor.drive("GetProcAddress_v2", "cuMemAlloc", &found, 13000, 0ull, &result), 0);
        EXPECT_EQ(result, 0);
        EXPECT_EQ(found, dlsym(vendor.driver(), "cuMemAlloc_v2"));
        EXPECT_EQ(vendor.drive("GetProcAddress_v2", "cuNothing", &found, 13000, 0ull, &result),
                  500);
        EXPECT_EQ(result, 1);
        EXPECT_EQ(found, nullptr);
        const char* text = nullptr;
        EXPECT_EQ(vendor.drive("GetErrorName", 2, &text), 0);
        EXPECT_STREQ(text, "CUDA_ERROR_OUT_OF_MEMORY");
    });
}

TEST_P(Drivers, BeginAgainAfterAReset) {
    passes("", [&] {
        const Vendor vendor(GetParam());
        void* at = vendor.allocate(100);
        void* stream = vendor.stream();
        ASSERT_EQ(vendor.run("DeviceReset"), 0);
        EXPECT_EQ(vendor.live_bytes(0), 0);
        EXPECT_EQ(vendor.run("Free", at), 1);
        void* again = vendor.allocate(100);
        EXPECT_EQ(vendor.run("Memset", again, 1, std::size_t{100}), 0);
        EXPECT_NE(vendor.run("StreamSynchronize", stream), 0) << "the stream went as well";
    });
}

TEST_P(Drivers, AreOfNoUseInAForkedChild) {
    passes("", [&] {
        const Vendor vendor(GetParam());
        void* at = vendor.allocate(100);
        const pid_t child = fork();
        if (child == 0) {
            unsigned type = 0;
            const bool refused =
                vendor.run("Malloc", &at, std::size_t{100}) == 3 &&
                vendor.drive("PointerGetAttribute", static_cast<void*>(&type), 2, at) == 3 &&
                vendor.drive("Init", 0u) == 3;
            _exit(refused ? 0 : 1);
        }
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        vendor.free(at);
    });
}

TEST(Both, AreKeptApartInOneProcess) {
    passes("late=50", [] {
        const Vendor nvidia("cuda");
        const Vendor amd("hip");
        void* first = nvidia.allocate(1000);
        void* second = amd.allocate(1000);
        EXPECT_NE(first, second);
        unsigned type = 0;
        EXPECT_EQ(nvidia.drive("PointerGetAttribute", static_cast<void*>(&type), 2,
                               static_cast<const void*>(second)),
                  1);
        EXPECT_EQ(amd.drive("PointerGetAttribute", static_cast<void*>(&type), 2,
                            static_cast<const void*>(first)),
                  1);
        EXPECT_EQ(nvidia.count("hipMalloc"), 0);
        EXPECT_EQ(amd.count("hipMalloc"), 1);
        nvidia.free(first);
        amd.free(second);
    });
}

/// Instructions of a child between two stops that it makes itself, or -1 where tracing is barred.
long instructions_of(const std::function<void()>& before, const std::function<void()>& body) {
    const pid_t child = fork();
    if (child == 0) {
        before();
        ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        raise(SIGSTOP);
        body();
        raise(SIGSTOP);
        _exit(0);
    }
    int status = 0;
    long steps = -1;
    if (waitpid(child, &status, 0) == child && WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP)
        for (steps = 0; ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) == 0; ++steps) {
            waitpid(child, &status, 0);
            if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) break;
        }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return steps;
}

/// A question about host memory is a comparison: counted in instructions, as time would vary.
TEST_P(Drivers, AnswerForHostMemoryInFewInstructions) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer's own instructions would be counted";
#endif
    int (*ask)(void*, int, const void*) = nullptr;
    unsigned type = 0;
    const auto before = [&] {
        const Vendor vendor(GetParam());
        vendor.allocate(100);
        ask = Vendor::symbol<decltype(ask)>(vendor.driver(),
                                            vendor.driver_name("PointerGetAttribute"));
        ask(&type, 2, &type);
    };
    const long nothing = instructions_of(before, [] {});
    const long asking = instructions_of(before, [&] { ask(&type, 2, &type); });
    if (nothing < 0) GTEST_SKIP() << "this machine does not let a process trace its child";
    RecordProperty("instructions", std::to_string(asking - nothing));
    EXPECT_GT(asking, nothing);
    EXPECT_LT(asking - nothing, GetParam() == "cuda" ? 100 : 160);
}

}  // namespace
}  // namespace aureole::emulated::tests
