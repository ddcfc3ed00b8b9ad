// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace aureole::device::emulated {

/// Memory of a block [bytes], as on GPUs of AMD.
inline constexpr std::size_t block_bytes = 64 << 10;
inline constexpr unsigned most_block_lanes = 1024;

struct Index {
    unsigned x = 0, y = 0, z = 0;
};

/// Where a lane is.
struct LaneIndex {
    Index thread, block, block_size, grid_size;
};

/// Index of the lane that the calling thread runs.
const LaneIndex& here();

/// Lanes of a wave: 32, or what AUREOLE_WAVE says, until a test sets another number. 64 is the
/// other; what is neither throws core::DeviceError.
unsigned wavefront();
void set_wavefront(unsigned lanes);

/// Runs a kernel's blocks on this thread, one after the other or, `together`, in turns. Throws
/// std::runtime_error with kernel, block and lane where lanes that should act together do not.
void run_blocks(const char* name, Index grid, unsigned lanes, std::size_t scratch_bytes,
                bool together, const std::function<void()>& kernel);

}  // namespace aureole::device::emulated
