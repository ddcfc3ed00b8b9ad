// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct HarmonicAngle {
    static constexpr const char* words = "Harmonic angle, U(theta) = k/2 (theta - theta0)^2.";
    static constexpr Parameter parameters[] = {
        {"theta0", "radian", "equilibrium angle"},
        {"k", "energy/radian^2", "force constant"},
    };
    using variable = Angle;

    template <class R>
    AUREOLE_FN static R energy(R theta, const Coefficients<R, 2>& c) {
        const R d = theta - c[0];
        return R(0.5) * c[1] * d * d;
    }
    template <class R>
    AUREOLE_FN static R slope(R theta, const Coefficients<R, 2>& c) {
        return c[1] * (theta - c[0]);
    }
};

}  // namespace aureole::md::terms
