// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "halo/grid.hpp"
#include "md/system/engine.hpp"

// Checkpoints of several ranks: each writes the blocks of its own particles, which are named
// "position@3" there, into one file; the first rank writes what all have in common. Whoever reads
// them, on any number of ranks, joins the slices.
namespace aureole::md {

std::string slice_name(const std::string& block, int rank);

/// Division of a checkpoint's particles among ranks.
struct Division {
    halo::RankGrid grid;
    std::vector<std::int64_t>
        begin;  ///< [ranks + 1] first particle of each rank, in the file's order
};

void put_division(StateBlocks& to, const halo::RankGrid& grid);
/// Puts the slices of ranks together, in the order of ranks; none where one rank wrote the blocks.
/// Throws core::FileError if a slice is missing or there are too many.
std::optional<Division> join_slices(StateBlocks& blocks);

}  // namespace aureole::md
