// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "amr/mesh.hpp"
#include "amr/step/clock.hpp"
#include "io/state_blocks.hpp"

// What checkpoints keep of a fluid: sub-grids by their keys, in Morton order, with their cells.
namespace aureole::amr {

/// The state between two steps.
struct FluidState {
    Clock clock;                    ///< step, time, rest, rate and dt
    std::vector<double> conserved;  ///< [block][field][cell], in the order of the mesh
};

/// Adds the blocks of a state.
void put_state(io::StateBlocks& to, const Mesh& mesh, const FluidState& state);
/// What put_state() has put. Throws core::FileError for blocks of another mesh, or that no run goes
/// on with.
FluidState get_state(const io::StateBlocks& from, const Mesh& mesh);

}  // namespace aureole::amr
