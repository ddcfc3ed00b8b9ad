// SPDX-License-Identifier: Apache-2.0
// Memory of the emulated devices: what hosts may touch, what an address is, how it is used again.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <csignal>
#include <filesystem>
#include <random>
#include <set>
#include <vector>

#include "driver.hpp"

/// Children that end here are no place to look for leaks: the drivers keep their tables for ever.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

namespace aureole::emulated::tests {
namespace {

INSTANTIATE_TEST_SUITE_P(, Drivers, testing::Values("cuda", "hip"),
                         [](const auto& each) { return each.param; });

TEST_P(Drivers, HostsFaultWhereTheyTouchDeviceMemory) {
    const int touched = in_child("", [&] {
        const Vendor vendor(GetParam());
        signal(SIGSEGV, SIG_DFL);  // a sanitizer would turn it into an exit
        auto* device = static_cast<volatile char*>(vendor.allocate(4096));
        (void)device[5];
    });
    EXPECT_TRUE(WIFSIGNALED(touched) && WTERMSIG(touched) == SIGSEGV) << touched;
    passes("", [&] {
        const Vendor vendor(GetParam());
        void* device = vendor.allocate(4096);
        char here[8];
        const iovec to{here, sizeof here};
        const iovec from{device, sizeof here};
        EXPECT_EQ(process_vm_readv(getpid(), &to, 1, &from, 1, 0), -1);
        EXPECT_EQ(errno, EFAULT);
        std::array<int, 2> ends{};
        ASSERT_EQ(pipe(ends.data()), 0);
        EXPECT_EQ(write(ends[1], device, 8), -1);
        EXPECT_EQ(errno, EFAULT);
    });
}

TEST_P(Drivers, AddressesAreUsedAgainUnderANewId) {
    passes("", [&] {
        const Vendor vendor(GetParam());
        std::set<void*> addresses;
        std::set<std::uint64_t> ids;
        const std::vector<char> ones(1000, 1);
        std::vector<char> read(1000, 7);
        for (int k = 0; k < 100; ++k) {
            void* at = vendor.allocate(1000);
            addresses.insert(at);
            ids.insert(vendor.id(at));
            vendor.copy(read.data(), at, 1000);
            EXPECT_EQ(read, std::vector<char>(1000, 0)) << "pages are fresh";
            vendor.copy(at, ones.data(), 1000);
            vendor.free(at);
        }
        EXPECT_EQ(addresses.size(), 1u);
        EXPECT_EQ(ids.size(), 100u);
    });
}

/// The hole that fits is taken, not the free range behind everything.
TEST_P(Drivers, FillHolesFirst) {
    passes("", [&] {
        const Vendor vendor(GetParam());
        std::vector<void*> all;
        for (int k = 0; k < 6; ++k) all.push_back(vendor.allocate(100000));
        for (const std::size_t k : {3, 1, 4}) {
            vendor.free(all[k]);
            EXPECT_EQ(vendor.allocate(100000), all[k]) << k;
        }
    });
}

/// Type by the runtime's call, for each way to come to memory; and what the driver's calls say.
TEST_P(Drivers, TellWhatAnAddressIs) {
    passes("", [&] {
        const Vendor vendor(GetParam());
        struct {
            int type, device;
            void *device_pointer, *host_pointer;
            long more[10];
        } about{};
        const auto type_of = [&](void* at) {
            about.type = 77;
            EXPECT_EQ(vendor.run("PointerGetAttributes", static_cast<void*>(&about),
                                 static_cast<const void*>(at)),
                      0);
            return about.type;
        };
        ASSERT_EQ(vendor.run("SetDevice", 1), 0);
        void* device = vendor.allocate(100);
        EXPECT_EQ(type_of(static_cast<char*>(device) + 99), 2);
        EXPECT_EQ(about.device, 1);
        EXPECT_EQ(about.host_pointer, nullptr);
        EXPECT_EQ(type_of(static_cast<char*>(device) + 4096), 0);

        void* managed = nullptr;
        ASSERT_EQ(vendor.run("MallocManaged", &managed, std::size_t{100}, 1u), 0);
        static_cast<char*>(managed)[7] = 9;
        EXPECT_EQ(type_of(managed), 3);
        void* pinned = nullptr;
        ASSERT_EQ(vendor.run("MallocHost", &pinned, std::size_t{100}), 0);
        static_cast<char*>(pinned)[7] = 9;
        EXPECT_EQ(type_of(pinned), 1);
        std::vector<char> own(100);
        EXPECT_EQ(type_of(own.data()), 0);
        EXPECT_EQ(about.device, -2);
        ASSERT_EQ(vendor.run("HostRegister", static_cast<void*>(own.data()), own.size(), 0u), 0);
        EXPECT_EQ(type_of(own.data() + 50), 1);
        ASSERT_EQ(vendor.run("HostUnregister", static_cast<void*>(own.data())), 0);
        EXPECT_EQ(type_of(own.data()), 0);

        unsigned type = 77;
        const auto ask = [&](const void* at) {
            return vendor.drive("PointerGetAttribute", static_cast<void*>(&type), 2, at);
        };
        EXPECT_EQ(ask(device), 0);
        EXPECT_EQ(type, 2u);
        EXPECT_EQ(ask(managed), 0);
        EXPECT_EQ(type, 2u);
        EXPECT_EQ(ask(pinned), 0);
        EXPECT_EQ(type, 1u);
        EXPECT_EQ(ask(own.data()), 1);
        const int wanted[] = {2, 9};
        int ordinal = 77;
        void* out[] = {&type, &ordinal};
        const char* all = vendor.is_nvidia() ? "PointerGetAttributes" : "DrvPointerGetAttributes";
        EXPECT_EQ(vendor.drive(all, 2u, &wanted[0], &out[0], static_cast<const void*>(own.data())),
                  0);
        EXPECT_EQ(type, 0u);
        EXPECT_EQ(ordinal, -2);
        EXPECT_EQ(vendor.drive(all, 2u, &wanted[0], &out[0], static_cast<const void*>(device)), 0);
        EXPECT_EQ(type, 2u);
        EXPECT_EQ(ordinal, 1);
    });
}

TEST_P(Drivers, CopiesKeepWithinTheirMemory) {
    passes("", [&] {
        const Vendor vendor(GetParam());
        std::vector<char> host(300);
        auto* at = static_cast<char*>(vendor.allocate(100));
        const auto copy = [&](void* to, const void* from, std::size_t n) {
            return vendor.run("Memcpy", to, from, n, 4);
        };
        EXPECT_EQ(copy(at, host.data(), 100), 0);
        EXPECT_EQ(copy(at + 60, host.data(), 40), 0);
        EXPECT_EQ(copy(at + 61, host.data(), 40), 1);
        EXPECT_EQ(copy(host.data(), at + 61, 40), 1);
        EXPECT_EQ(vendor.run("Memset", static_cast<void*>(at + 61), 0, std::size_t{40}), 1);
        EXPECT_EQ(vendor.run("Free", static_cast<void*>(at + 1)), 1);
        vendor.free(at);
        EXPECT_EQ(vendor.run("Free", static_cast<void*>(at)), 1);
        EXPECT_EQ(copy(at, host.data(), 10), 1);
        EXPECT_EQ(vendor.run("GetLastError"), 1);
        EXPECT_EQ(vendor.run("GetLastError"), 0);
        EXPECT_EQ(vendor.run("Memcpy", static_cast<void*>(host.data()),
                             static_cast<const void*>(host.data() + 150), std::size_t{150}, 1),
                  1)
            << "host memory where the caller says device memory";
    });
}

/// Copies of rows and slices through the driver's descriptions, compared with loops on the host.
TEST(Cuda, CopiesEveryShape) {
    passes("", [] {
        const Vendor vendor("cuda");
        struct End {
            std::size_t x, y, z, level;
            unsigned type;
            const void* host;
            void* device;
            void *array, *reserved;
            std::size_t pitch, height;
        };
        struct Copy3D {
            End from, to;
            std::size_t width, height, depth;
        };
        static_assert(sizeof(Copy3D) == 200);
        constexpr std::size_t pitch = 37;
        constexpr std::size_t rows = 11;
        constexpr std::size_t slices = 5;
        constexpr std::size_t all = pitch * rows * slices;
        std::mt19937 random(3);
        void* device = vendor.allocate(all);
        for (int trial = 0; trial < 200; ++trial) {
            std::vector<char> before(all);
            std::vector<char> source(all);
            for (auto& each : before) each = static_cast<char>(random());
            for (auto& each : source) each = static_cast<char>(random());
            vendor.copy(device, before.data(), all);
            Copy3D what{};
            const auto part = [&](std::size_t most) { return random() % most; };
            what.to = {part(9), part(4), part(2), 0,     2,   nullptr,
                       device,  nullptr, nullptr, pitch, rows};
            what.from = {part(9), part(4), part(2), 0,     1,   source.data(),
                         nullptr, nullptr, nullptr, pitch, rows};
            what.width = 1 + part(28);
            what.height = 1 + part(7);
            what.depth = 1 + part(3);
            ASSERT_EQ(vendor.drive("Memcpy3D", &what), 0);
            for (std::size_t z = 0; z < what.depth; ++z)
                for (std::size_t y = 0; y < what.height; ++y)
                    for (std::size_t x = 0; x < what.width; ++x)
                        before[((what.to.z + z) * rows + what.to.y + y) * pitch + what.to.x + x] =
                            source[((what.from.z + z) * rows + what.from.y + y) * pitch +
                                   what.from.x + x];
            std::vector<char> after(all);
            vendor.copy(after.data(), device, all);
            ASSERT_EQ(after, before) << trial;
        }
    });
}

/// Bytes of memory behind all files of the double that this process has open.
std::size_t bytes_in_files() {
    std::size_t bytes = 0;
    for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code none;
        const auto name = std::filesystem::read_symlink(each.path(), none).string();
        struct stat about {};
        if (name.find("aureole-double") != std::string::npos &&
            stat(each.path().c_str(), &about) == 0)
            bytes += static_cast<std::size_t>(about.st_blocks) * 512;
    }
    return bytes;
}

TEST_P(Drivers, MemoryIsBoundedOverManyCycles) {
    passes("", [&] {
        const Vendor vendor(GetParam());
        const int cycles = vendor.is_nvidia() ? 100000 : 20000;  // the machine is the same
        std::mt19937 random(11);
        char handle[64];
        std::size_t most = 0;
        void* kept = vendor.allocate(64);
        const long live = vendor.live_bytes(0);
        for (int k = 0; k < cycles; ++k) {
            const std::size_t bytes = 8u << (random() % 10);
            void* at = nullptr;
            ASSERT_EQ(vendor.run("Malloc", &at, bytes), 0);
            if (k % 2) {
                ASSERT_EQ(vendor.run("Memset", at, k, bytes), 0);
            }
            if (k % 8 == 0) {
                ASSERT_EQ(vendor.run("IpcGetMemHandle", static_cast<void*>(handle), at), 0);
            }
            ASSERT_EQ(vendor.run("Free", at), 0);
            if (k % 1000 == 0) most = std::max(most, bytes_in_files());
        }
        EXPECT_EQ(vendor.live_bytes(0), live);
        // poisoned pages of what others may have mapped are kept up to 64 MiB
        EXPECT_LT(most, std::size_t{66} << 20);
        EXPECT_GT(most, std::size_t{1} << 20) << "shared memory was poisoned";
        vendor.free(kept);
        EXPECT_EQ(vendor.live_bytes(0), 0);
    });
}

TEST_P(Drivers, FailWhenADeviceIsFull) {
    passes("memory=4", [&] {
        const Vendor vendor(GetParam());
        void* first = vendor.allocate(3u << 20);
        void* second = nullptr;
        EXPECT_EQ(vendor.run("Malloc", &second, std::size_t{2} << 20), 2);
        std::size_t free = 0;
        std::size_t total = 0;
        EXPECT_EQ(vendor.run("MemGetInfo", &free, &total), 0);
        EXPECT_EQ(free, std::size_t{1} << 20);
        EXPECT_EQ(total, std::size_t{4} << 20);
        vendor.free(first);
        EXPECT_EQ(vendor.run("Malloc", &second, std::size_t{2} << 20), 0);
    });
}

}  // namespace
}  // namespace aureole::emulated::tests
