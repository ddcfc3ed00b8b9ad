// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/system/engine.hpp"

namespace aureole::md {

/// Writes constraints, virtual sites, coupling and the correction of dispersion.
void put_molecules(StateBlocks& to, const System& system);
/// Reads what put_molecules() wrote. Throws core::FileError for blocks that cannot be used.
void get_molecules(const StateBlocks& from, System& system);
/// Groups whose drift is taken off separately; no_drift_group is none of them.
int count_drift_groups(const std::vector<std::uint8_t>& group_of_tag);
/// Which correction of dispersion a checkpoint asks for.
TailCorrection tail_of(const StateBlocks& from);
/// The correction of dispersion for the particles and forces of a system.
DispersionTail make_tail(device::Queue& queue, const System& system);

}  // namespace aureole::md
