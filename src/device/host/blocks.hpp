// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "device/block.hpp"

namespace aureole::device::host {

/// How a host runs the blocks of a grid.
struct BlockRun {
    /// `ascending`: row by row, which is what a kernel of waiting blocks can rely on; `shuffled`:
    /// by the seed, all at once; `descending`: the wrong way round, for tests of waits that end.
    enum class Order { ascending, shuffled, descending };
    Order order = Order::ascending;
    int at_once = 1;         ///< blocks that run at the same time; all if shuffled
    int lanes = 1;           ///< threads of a block
    std::uint64_t seed = 0;  ///< of the order, and of delays; 0: no delays
};

/// f(block) by all lanes of all blocks; f must not throw.
void run_blocks(const BlockGrid& grid, const BlockRun& run, const std::function<void(Block&)>& f);

}  // namespace aureole::device::host
