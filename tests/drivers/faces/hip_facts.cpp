// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstring>
#include <map>

#include "faces/device_facts.hpp"
#include "machine/contexts.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"

namespace aureole::emulated {
namespace {

constexpr int last_common = 9999;  // from 10000 on, attributes of AMD's devices alone

/// Attributes that are not zero, by AMD's numbers.
const std::map<int, int>& facts() {
    static const auto* all = new std::map<int, int>{
        {2, 2},  // copy engines
        {3, 1},  // host memory can be mapped
        {4, 1},
        {5, clock_khz},
        {8, 1},
        {9, 1},  // managed memory that host and device touch at the same time
        {10, 1},
        {19, cache_bytes},
        {23, 9},  // compute capability
        {24, 1},  // managed memory
        {25, 32},
        {26, 1024},
        {27, 1024},
        {28, 1024},
        {29, 2147483647},
        {30, 65535},
        {31, 65535},
        {55, 1024},
        {56, threads_in_a_block},
        {57, 2048},
        {58, 2147483647},
        {59, 1024},
        {60, clock_khz},
        {63, multiprocessors},
        {71, 65536},
        {72, 65536},
        {74, block_memory},
        {78, 1},  // stream priorities
        {81, 256},
        {82, 256},
        {83, 65536},
        {85, 1},  // unified addresses
        {87, 64},
        {88, 1},  // pools
        {89, 1},  // virtual memory management
        {90, 1},  // host memory can be registered
    };
    return *all;
}

}  // namespace

int device_fact(int attribute, int device, int& out) {
    constexpr int bus_number = 67;
    constexpr int pool_handles = 91;
    constexpr int is_large_bar = 10011;
    constexpr int flush_register = 10005;
    if (attribute < 0 || (attribute > 95 && attribute <= last_common)) return invalid_value;
    const auto found = facts().find(attribute);
    out = found == facts().end() ? 0 : found->second;
    if (attribute == bus_number) out = physical_device(device) + 1;
    if (attribute == pool_handles) out = settings().pool_handles;
    if (attribute == is_large_bar) out = settings().bar.large;
    if (attribute == flush_register) {  // the caller has room for an address
        static std::uint32_t word;
        void* const address = settings().bar.large ? &word : nullptr;
        std::memcpy(static_cast<void*>(&out), &address, sizeof address);
    }
    return success;
}

}  // namespace aureole::emulated
