// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/stages/stage.hpp"

namespace aureole::md::stages {

struct SpeedLimit {
    static constexpr const char* words =
        "Limits the speed of each particle before it moves, so that overlaps of a start relax "
        "instead of blowing up.";
    static constexpr const char* formula = "v <- v min(1, v_max/|v|)";
    static constexpr Parameter parameters[] = {
        {"v_max", "length/time", "largest speed"},
    };
    static constexpr Changes changes = Changes::velocities;
    static constexpr StageMoment moment = StageMoment::after_kicks;

    static const char* problem(const std::array<double, 1>& p) {
        return p[0] > 0 ? nullptr : "v_max must be positive";
    }
    AUREOLE_FN static void update(StageParticle<SpeedLimit>& particle,
                                  const Coefficients<double, 1>& c) {
        const double v2 = dot(particle.velocity, particle.velocity);
        if (v2 > c[0] * c[0]) particle.velocity *= c[0] / std::sqrt(v2);
    }
};

}  // namespace aureole::md::stages
