// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace aureole::device::gpu {

/// How devices are called in a build for one vendor's GPUs, what such a build is for, the most
/// bytes of a kernel's parameters (CUDA's since 12.1) and of a block's memory, its kind in DLPack,
/// and whether steps are recorded as graphs there.
struct Vendor {
    std::string_view name, gpus;
    std::size_t parameter_bytes, block_bytes;
    int dlpack;
    bool graphs_pay;  ///< nodes follow each other sooner than launches do (docs/theory/launches.md)
};
inline constexpr Vendor vendors[] = {{"cuda", "GPUs of NVIDIA", 32764, 227 << 10, 2, true},
                                     {"hip", "GPUs of AMD", 4096, 64 << 10, 10, false},
                                     {"emulated", "emulated GPUs", 4096, 64 << 10, 12, true}};

/// The vendor of that name; where there is none, the first.
constexpr const Vendor& vendor_of(std::string_view name) {
    for (const Vendor& vendor : vendors)
        if (vendor.name == name) return vendor;
    return vendors[0];
}

}  // namespace aureole::device::gpu
