// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "faces/device_facts.hpp"
#include "machine/contexts.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"

namespace aureole::emulated {
namespace {

constexpr int most_attribute = 147;

/// Attributes that are not zero. All others that exist are: textures, surfaces, clusters and what
/// else the emulated devices lack.
const std::map<int, int>& facts() {
    static const auto* all = new std::map<int, int>{
        {1, threads_in_a_block},  // threads in a block, and in each of its three directions
        {2, 1024},
        {3, 1024},
        {4, 64},
        {5, 2147483647},  // blocks in a grid
        {6, 65535},
        {7, 65535},
        {8, block_memory},
        {9, 65536},  // constant memory
        {10, threads_in_a_team},
        {11, 2147483647},  // pitch
        {12, 65536},       // registers
        {13, clock_khz},
        {14, 512},  // alignment of textures
        {15, 1},    // copies and kernels at the same time
        {16, multiprocessors},
        {19, 1},  // host memory can be mapped
        {30, 512},
        {31, 1},  // several kernels at a time
        {36, clock_khz},
        {37, 1024},  // bits of the memory bus
        {38, cache_bytes},
        {39, 2048},  // threads of a multiprocessor
        {40, 2},     // copy engines
        {41, 1},     // unified addresses
        {51, 32},
        {75, 9},  // compute capability
        {76, 0},
        {78, 1},  // stream priorities
        {79, 1},
        {80, 1},
        {81, block_memory},
        {82, 65536},
        {83, 1},  // managed memory
        {89, 1},  // managed memory that host and device touch at the same time
        {90, 1},
        {91, 1},  // registered host memory has the same address on the device
        {95, 1},  // cooperative launches
        {97, block_memory},
        {99, 1},   // host memory can be registered
        {102, 1},  // virtual memory management
        {106, 32},
        {113, 1},
        {115, 1},  // pools
        {125, 1},  // events between processes
        {129, 1},
        {130, 0},
        {131, -1},
    };
    return *all;
}

}  // namespace

int device_fact(int attribute, int device, int& out) {
    constexpr int bus_number = 33;
    constexpr int descriptors = 103;
    constexpr int dma_buf = 124;
    constexpr int pool_handles = 119;
    if (attribute < 1 || attribute > most_attribute) return invalid_value;
    const auto found = facts().find(attribute);
    out = found == facts().end() ? 0 : found->second;
    if (attribute == bus_number) out = physical_device(device) + 1;
    if (attribute == descriptors) out = settings().descriptor_handles;
    if (attribute == dma_buf) out = settings().bar.dma_buf;
    if (attribute == pool_handles) out = settings().pool_handles;
    return success;
}

}  // namespace aureole::emulated
