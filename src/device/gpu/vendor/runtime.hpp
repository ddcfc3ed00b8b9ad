// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/gpu/pass.hpp"

// The runtime of the GPUs that this build is for, by one name for every vendor.
//
//   types       Error, Stream, Event, Graph, RunnableGraph; their default values are none
//   numbers     success, not_ready, out_of_memory; most_parameter_bytes of a kernel,
//               most_shared_bytes of a block, most_lanes of a launch
//   functions   return an Error, but for those that cannot fail; what they find is their first
//               argument
//   Pool        memory that is taken and given back in the order of a stream
//   launch()    kernel<<<...>>>(arguments...)

namespace aureole::device::gpu {

/// What a vendor says about one of its GPUs.
struct Properties {
    std::string name;
    std::string architecture;  ///< as compilers call it: "90", "gfx90a:sramecc+:xnack-"
    int processors = 0;
    std::size_t memory = 0;        ///< [bytes]
    std::size_t block_memory = 0;  ///< most of a block [bytes]
};

/// How a kernel is launched.
struct Shape {
    unsigned blocks;
    unsigned lanes;                ///< of a block
    std::size_t shared_bytes = 0;  ///< memory of a block, beside that which the kernel declares
    unsigned rows = 1;             ///< of blocks
};

}  // namespace aureole::device::gpu

#if defined(AUREOLE_GPU_EMULATED)
#include "device/gpu/vendor/emulated.hpp"
#elif defined(AUREOLE_GPU_HIP)
#include "device/gpu/vendor/hip.hpp"
#else
#include "device/gpu/vendor/cuda.hpp"
#endif
