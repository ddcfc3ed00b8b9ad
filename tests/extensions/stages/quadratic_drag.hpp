// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/stages/stage.hpp"

namespace aureole::md::stages {

struct QuadraticDrag {
    static constexpr const char* words =
        "Turbulent friction, dv/dt = -k |v| v; the path that each particle has flown is counted.";
    static constexpr const char* formula = "v <- v / (1 + k |v| t)";
    static constexpr Parameter parameters[] = {
        {"k", "1/length", "friction"},
    };
    static constexpr Changes changes = Changes::velocities;
    using path = column::own<"path", "length">;
    using writes = column::Columns<path>;

    static const char* problem(const std::array<double, 1>& p) {
        return p[0] < 0 ? "k must not be negative" : nullptr;
    }
    AUREOLE_FN static void update(StageParticle<QuadraticDrag>& particle,
                                  const Coefficients<double, 1>& c) {
        const double speed = std::sqrt(dot(particle.velocity, particle.velocity));
        particle[path{}] += speed * particle.elapsed;
        particle.velocity *= 1 / (1 + c[0] * speed * particle.elapsed);
    }
};

}  // namespace aureole::md::stages
