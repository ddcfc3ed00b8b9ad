// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/box/step_state.hpp"

// A pair list in a box that changes. Let the list miss no pair nearer than r + d_i + d_j, and let
// the box and the positions of the search be strained by E: pairs that are not listed are then no
// nearer than (1 - |E|) (r + d_i + d_j) = r + d_i' + d_j' with d' = (1 - |E|) d - |E| r / 2. The
// list holds as long as each particle is within d' of its strained position.
namespace aureole::md {

/// Strain of the positions that displacements are measured from, and the limits of displacements,
/// in the present box.
struct ListStrain {
    Strain strain;    ///< of the box since the search
    double keep = 1;  ///< limit: keep * that of the search - loss; negative: none is left
    double loss = 0;
    core::Box searched{};  ///< the box of the search
};

/// Finds the strain after the box has changed, or the list was searched.
struct FindListStrain {
    using device_kernel = void;
    const StepState* state;
    double r_cut;
    ListStrain* of;

    AUREOLE_FN void operator()(std::int64_t) const {
        of->strain = Strain::between(of->searched, state->box);
        const double size = of->strain.size();
        of->keep = 1 - size, of->loss = 0.5 * size * r_cut;
    }
};

}  // namespace aureole::md
