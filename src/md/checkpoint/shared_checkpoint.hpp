// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "comm/world.hpp"
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

/// Writes the blocks of all ranks into one file, see io::write_checkpoint(). All ranks call it
/// together. An error on one is thrown by all of them, which go on (World::together()).
void write_shared_checkpoint(comm::World& world, const std::filesystem::path& path,
                             const StateBlocks& mine);

}  // namespace aureole::md
