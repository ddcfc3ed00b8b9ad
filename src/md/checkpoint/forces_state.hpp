// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/system/engine.hpp"

// What a checkpoint keeps of pair potentials, of the non-bonded forces of molecules and of the
// mesh.
namespace aureole::md {

void add_force(StateBlocks& to, std::int64_t k, const PairForceSpec& spec);
void put_nonbonded(StateBlocks& to, const NonbondedSpec& spec);
void put_mesh(StateBlocks& to, const MeshSpec& mesh);

/// Read what the functions above wrote. Throw BlockError for blocks that cannot be used.
PairForceSpec get_force(const StateBlocks& from, std::int64_t k);
NonbondedSpec get_nonbonded(const StateBlocks& from);
MeshSpec get_mesh(const StateBlocks& from);

}  // namespace aureole::md
