// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "amr/mesh.hpp"
#include "amr/step/clock.hpp"
#include "amr/step/schedule.hpp"
#include "amr/tree/tree.hpp"
#include "io/state_blocks.hpp"

// What checkpoints keep of a fluid: sub-grids by their keys, in Morton order, with their cells.
namespace aureole::amr {

/// The state between two steps.
struct FluidState {
    Clock clock;                    ///< step, time, rest, rate and dt
    Repairs repairs;                ///< so far
    std::vector<double> conserved;  ///< [leaf][field][cell]
    /// Counts for each leaf and the step of the last check: see Adaptation.
    std::vector<std::int8_t> calm{};
    std::int64_t checked = -1;
};

/// Adds the blocks of a state.
void put_state(io::StateBlocks& to, const Tree& tree, const FluidState& state);
/// The tree and the state that put_state() has put. Throws core::FileError for blocks of another
/// mesh, or that no run goes on with.
std::pair<Tree, FluidState> get_state(const io::StateBlocks& from, const Mesh& mesh);

}  // namespace aureole::amr
