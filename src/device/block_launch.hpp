// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include "device/block.hpp"
#include "device/host/blocks.hpp"
#include "device/launch.hpp"

namespace aureole::device {

/// f(block) for all blocks of a grid, which may wait for blocks of earlier rows and for other
/// ranks. A .cu file says AUREOLE_DEVICE_BLOCKS(F) for those that GPUs have too. `run`: how a host
/// runs the blocks.
template <std::invocable<Block&> F>
void block_for(Queue& queue, const char* name, BlockGrid grid, F f, host::BlockRun run = {}) {
    if (grid.rows <= 0) return;
    const std::int64_t blocks = std::int64_t{grid.rows} * grid.chunks;
    if (queue.backend() == Backend::host) {
        detail::on_host(queue.state(), name, blocks, [grid, run, f](ThreadPool&) {
            host::run_blocks(grid, run, [&f](Block& block) { f(block); });
        });
    } else if constexpr (has_gpu && DeviceKernel<F>) {
        queue.state().count_launch(blocks);
        gpu::launch_blocks(queue.state(), name, grid, f);
    } else {
        detail::refuse(queue, name);
    }
}

}  // namespace aureole::device
