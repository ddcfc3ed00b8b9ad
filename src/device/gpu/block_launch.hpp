// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/backend.hpp"
#include "device/block.hpp"

// Declared for every source, defined in block_launch.cuh, as the launches of launch.hpp are.
namespace aureole::device::gpu {

template <class F>
void launch_blocks(detail::QueueState& queue, const char* name, const BlockGrid& grid, const F& f);

}  // namespace aureole::device::gpu
