// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/stages/stage.hpp"

namespace aureole::md::stages {

struct Andersen {
    static constexpr const char* words =
        "Thermostat of random collisions: within a time t, each particle gets a new thermal "
        "velocity at kT with probability 1 - exp(-rate t) (Andersen, J. Chem. Phys. 72, 2384 "
        "(1980)).";
    static constexpr const char* formula = "v <- sqrt(kT/m) R with probability 1 - exp(-rate t)";
    static constexpr Parameter parameters[] = {
        {"kT", "energy", "temperature"},
        {"rate", "1/time", "collision rate per particle"},
    };
    static constexpr Changes changes = Changes::velocities;
    static constexpr const char* no_constraints =
        "constraints remove part of every new velocity, which makes molecules too cold";

    static const char* problem(const std::array<double, 2>& p) {
        return p[0] < 0 || p[1] < 0 ? "kT and rate must not be negative" : nullptr;
    }
    AUREOLE_FN static void update(StageParticle<Andersen>& particle,
                                  const Coefficients<double, 2>& c) {
        if (particle.random.uniform() < std::exp(-c[1] * particle.elapsed)) return;
        particle.velocity = std::sqrt(c[0] / particle.mass) * particle.random.normal3();
    }
};

}  // namespace aureole::md::stages
