// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "device/gpu/check.hpp"
#include "device/gpu/launch.hpp"
#include "device/gpu/queue.hpp"

// The definition of launch_blocks, for .cu files, and the macro that instantiates it at global
// scope: AUREOLE_DEVICE_BLOCKS(aureole::halo::HaloSend)

namespace aureole::device::gpu {

inline constexpr int lanes_of_block = 256;

template <class F>
__global__ void __launch_bounds__(lanes_of_block) block_kernel(const F f) {
    // The hardware begins blocks in ascending order, x first: row by row.
    Block block(blockIdx.y, blockIdx.x, gridDim.x, threadIdx.x, blockDim.x);
    f(block);
}

/// As many blocks as the device holds at once, at most: a cooperative launch begins when all of
/// them can run together, so that a block that waits never keeps the one it waits for from
/// starting.
template <class F>
void launch_blocks(detail::QueueState& queue, const char* name, const BlockGrid& grid, const F& f) {
    static_assert(sizeof(F) <= most_parameter_bytes, "the functor is too large");
    const Stream stream = static_cast<GpuQueue&>(queue).stream();
    int device = 0, processors = 0, on_each = 0;
    check(current_device(device), name);
    check(processors_of(processors, device), name);
    check(blocks_at_once(on_each, block_kernel<F>, lanes_of_block), name);
    const int chunks = std::max(1, std::min(grid.chunks, processors * on_each / grid.rows));
    check(launch_together(block_kernel<F>, name,
                          {unsigned(chunks), lanes_of_block, 0, unsigned(grid.rows)}, stream, f),
          name);
}

}  // namespace aureole::device::gpu

#define AUREOLE_DEVICE_BLOCKS(...)                                                                \
    template void ::aureole::device::gpu::launch_blocks<__VA_ARGS__>(                             \
        ::aureole::device::detail::QueueState&, const char*, const ::aureole::device::BlockGrid&, \
        const __VA_ARGS__&);
