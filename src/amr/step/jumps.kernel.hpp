// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amr/step/clock.hpp"
#include "amr/tree/jumps.hpp"
#include "device/wide_team.hpp"

// Work beside the stages of meshes with levels.
namespace aureole::amr {

/// Halo cells of a face at a jump.
struct HalosOfStage {
    using device_kernel = void;
    HalosAtJumps halos;
    const Clock* clock;

    AUREOLE_FN void operator()(device::WideTeam& team, std::int64_t face) const {
        if (!clock->running) return;
        auto* const patch = team.scratch<double>();
        halos.fill(face, team.rank(), team.size(), patch);
        team.sync();
        halos.put(face, team.rank(), team.size(), patch);
    }
};

/// Cells beside finer sub-grids: an item is a value at one of the faces.
struct CorrectOfStage {
    using device_kernel = void;
    CorrectFluxes fluxes;
    const std::int64_t* which;  ///< the faces
    const Clock* clock;
    double weight;

    AUREOLE_FN void operator()(std::int64_t i) const {
        if (!clock->running) return;
        CorrectFluxes now = fluxes;
        now.change = weight * clock->next_dt;
        const std::int64_t each = CorrectFluxes::values(now.shape);
        now.correct(which[i / each], static_cast<int>(i % each));
    }
};

}  // namespace aureole::amr
