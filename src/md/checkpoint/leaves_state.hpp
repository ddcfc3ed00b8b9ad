// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/system/engine.hpp"

namespace aureole::md {

/// What a checkpoint keeps of external forces and of stages from leaf files.
void put_leaves(StateBlocks& to, const System& system);
/// Throws core::Error for blocks that cannot be used.
void get_leaves(const StateBlocks& from, System& system);

}  // namespace aureole::md
