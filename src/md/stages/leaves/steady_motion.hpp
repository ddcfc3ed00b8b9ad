// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/stages/stage.hpp"

namespace aureole::md::stages {

struct SteadyMotion {
    static constexpr const char* words =
        "Moves a group at a constant velocity, such as a plate or a tip that the integrator does "
        "not move.";
    static constexpr const char* formula = "r <- r + u t";
    static constexpr Parameter parameters[] = {
        {"ux", "length/time", "velocity along x", 0},
        {"uy", "length/time", "velocity along y", 0},
        {"uz", "length/time", "velocity along z", 0},
    };
    static constexpr Changes changes = Changes::positions;
    static constexpr bool moves_frozen = true;

    AUREOLE_FN static void update(StageParticle<SteadyMotion>& particle,
                                  const Coefficients<double, 3>& u) {
        particle.position += particle.elapsed * core::Vec3d{u[0], u[1], u[2]};
    }
};

}  // namespace aureole::md::stages
