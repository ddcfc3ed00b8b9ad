// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/stages/stage.hpp"

namespace aureole::md::stages {

struct LinearDrag {
    static constexpr const char* words =
        "Friction without noise: velocities decay by a factor exp(-gamma t) over a time t.";
    static constexpr const char* formula = "v <- exp(-gamma t) v";
    static constexpr Parameter parameters[] = {
        {"gamma", "1/time", "friction coefficient per mass"},
    };
    static constexpr Changes changes = Changes::velocities;

    static const char* problem(const std::array<double, 1>& p) {
        return p[0] < 0 ? "gamma must not be negative" : nullptr;
    }
    AUREOLE_FN static void update(StageParticle<LinearDrag>& particle,
                                  const Coefficients<double, 1>& c) {
        particle.velocity *= std::exp(-c[0] * particle.elapsed);
    }
};

}  // namespace aureole::md::stages
