// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "comm/world.hpp"
#include "io/state_blocks.hpp"

namespace aureole::io {

/// Writes the blocks of all ranks into one file, see write_checkpoint(). All ranks call it
/// together. An error on one is thrown by all of them, which go on (World::together()).
void write_shared_checkpoint(comm::World& world, const std::filesystem::path& path,
                             const StateBlocks& mine);

}  // namespace aureole::io
