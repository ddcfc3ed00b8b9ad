// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/system/engine.hpp"

namespace aureole::md {

/// Writes the external forces and the stages from leaf files.
void put_leaves(StateBlocks& to, const System& system);
/// Reads the external forces and stages. Throws core::Error for blocks that cannot be used.
void get_leaves(const StateBlocks& from, System& system);

}  // namespace aureole::md
