// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace aureole::emulated {

using Address = std::uintptr_t;
constexpr std::size_t page = 4096;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/// The addresses of all devices: a range without access, so that the host faults there, and an
/// alias of the range at a constant distance, by which copies reach the memory.
struct DeviceRange {
    std::atomic<Address> begin{0};
    std::atomic<std::size_t> bytes{0};
    std::atomic<std::ptrdiff_t> distance{0};

    bool holds(Address at) const {
        return at - begin.load(std::memory_order_relaxed) < bytes.load(std::memory_order_relaxed);
    }
    char* alias(Address at) const {
        return reinterpret_cast<char*>(at) + distance.load(std::memory_order_relaxed);
    }
};

extern DeviceRange device_range;

/// Reserves the range, once. False if the system has no room for it.
bool reserve_device_range();

/// Takes addresses: those given back last are taken first where the size fits. 0: none are left.
Address take_addresses(std::size_t bytes, std::size_t alignment, Address wish = 0);
void give_addresses(Address at, std::size_t bytes);

/// Shows a part of a file at the alias, and also at the address itself where hosts may touch it.
bool show_pages(Address at, std::size_t bytes, int file, std::uint64_t offset, bool to_hosts);
void hide_pages(Address at, std::size_t bytes, bool to_hosts);

}  // namespace aureole::emulated
