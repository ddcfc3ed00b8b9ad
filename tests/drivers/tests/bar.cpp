// SPDX-License-Identifier: Apache-2.0
// How the processor reaches memory of the emulated devices (bar=...).
#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "driver.hpp"

namespace aureole::emulated::tests {
namespace {

constexpr std::size_t bytes = 8192;
using Bytes = std::array<unsigned char, bytes>;

Bytes numbers(unsigned first) {
    Bytes made;
    for (std::size_t k = 0; k < bytes; ++k) made[k] = static_cast<unsigned char>(first + k * 7);
    return made;
}

/// GDRCopy's handle.
struct Pinned {
    void* data;
};

/// Both directions; freed memory shows 0xAD.
void check(const Vendor& vendor, void* device, unsigned char* host, bool is_freed) {
    Bytes sent = numbers(1), got{};
    vendor.copy(device, sent.data(), bytes);
    EXPECT_TRUE(std::equal(sent.begin(), sent.end(), host));
    sent = numbers(2);
    std::memcpy(host, sent.data(), bytes);
    vendor.copy(got.data(), device, bytes);
    EXPECT_EQ(got, sent);
    vendor.free(device);
    const bool is_overwritten =
        !is_freed || std::all_of(host, host + bytes, [](int each) { return each == 0xAD; });
    EXPECT_TRUE(is_overwritten);
}

void* gdrapi() { return dlopen((AUREOLE_DRIVERS "/libgdrapi.so.2"), RTLD_NOW); }

TEST(Bar, IsMappedByGdrcopy) {
    EXPECT_EQ(0, in_child("bar=gdr", [] {
                  const Vendor vendor("cuda");
                  void* const library = gdrapi();
                  void* const device = vendor.allocate(bytes);
                  const auto open = Vendor::symbol<void* (*)()>(library, "gdr_open");
                  const auto pin =
                      Vendor::symbol<int (*)(void*, unsigned long, std::size_t, std::uint64_t,
                                             std::uint32_t, Pinned*)>(library, "gdr_pin_buffer");
                  const auto map = Vendor::symbol<int (*)(void*, Pinned, void**, std::size_t)>(
                      library, "gdr_map");
                  const auto tell = Vendor::symbol<int (*)(void*, Pinned, std::uint64_t*)>(
                      library, "gdr_get_info_v2");
                  Pinned pinned{};
                  void* host = nullptr;
                  std::array<std::uint64_t, 8> info{};
                  const auto at = reinterpret_cast<unsigned long>(device);
                  ASSERT_NE(open(), nullptr);
                  ASSERT_EQ(pin(open(), at, bytes, 0, 0, &pinned), 0);
                  ASSERT_EQ(map(open(), pinned, &host, bytes), 0);
                  ASSERT_EQ(tell(open(), pinned, info.data()), 0);
                  check(vendor, device, static_cast<unsigned char*>(host) + (at - info[0]), true);
              }));
}

TEST(Bar, IsAFileOfAnAllocation) {
    EXPECT_EQ(0, in_child("bar=dmabuf", [] {
                  const Vendor vendor("cuda");
                  void* const device = vendor.allocate(bytes);
                  const auto at = reinterpret_cast<std::uintptr_t>(device);
                  int file = -1;
                  const auto ask = [&](std::uintptr_t from, std::size_t size) {
                      return vendor.drive("MemGetHandleForAddressRange", static_cast<void*>(&file),
                                          from, size, 1, 0ull);
                  };
                  EXPECT_NE(ask(at + 8, bytes), 0);  // whole pages
                  EXPECT_NE(ask(at, bytes + 4096), 0);
                  ASSERT_EQ(ask(at, bytes), 0);
                  void* const host =
                      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
                  ASSERT_NE(host, MAP_FAILED);
                  check(vendor, device, static_cast<unsigned char*>(host), true);
              }));
}

TEST(Bar, IsTheAddressItselfOfAmdsDevices) {
    EXPECT_EQ(0, in_child("bar=large", [] {
                  const Vendor vendor("hip");
                  int is_large = 0;
                  ASSERT_EQ(vendor.run("DeviceGetAttribute", &is_large, 10011, 0), 0);
                  EXPECT_EQ(is_large, 1);
                  void* const device = vendor.allocate(bytes);
                  check(vendor, device, static_cast<unsigned char*>(device), false);
              }));
}

TEST(Bar, IsNotThereUnlessItIsAskedFor) {
    EXPECT_EQ(0, in_child("", [] {
                  const Vendor vendor("cuda");
                  EXPECT_EQ(Vendor::symbol<void* (*)()>(gdrapi(), "gdr_open")(), nullptr);
                  void* const device = vendor.allocate(bytes);
                  int file = -1;
                  EXPECT_EQ(vendor.drive("MemGetHandleForAddressRange", static_cast<void*>(&file),
                                         reinterpret_cast<std::uintptr_t>(device), bytes, 1, 0ull),
                            801);
                  int pipe_ends[2];
                  ASSERT_EQ(pipe(pipe_ends), 0);
                  EXPECT_EQ(write(pipe_ends[1], device, 1), -1);  // no access
              }));
}

}  // namespace
}  // namespace aureole::emulated::tests
