// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct QuarticAngle {
    static constexpr const char* words =
        "Quartic angle, U(theta) = sum over n = 0 to 4 of cn (theta - theta0)^n.";
    static constexpr Parameter parameters[] = {
        {"theta0", "radian", "equilibrium angle"},
        {"c0", "energy", "constant term"},
        {"c1", "energy/radian", "linear coefficient"},
        {"c2", "energy/radian^2", "quadratic coefficient (half the force constant)"},
        {"c3", "energy/radian^3", "cubic coefficient"},
        {"c4", "energy/radian^4", "quartic coefficient"},
    };
    using variable = Angle;

    template <class R>
    AUREOLE_FN static R energy(R theta, const Coefficients<R, 6>& c) {
        const R d = theta - c[0];
        return c[1] + d * (c[2] + d * (c[3] + d * (c[4] + d * c[5])));
    }
    template <class R>
    AUREOLE_FN static R slope(R theta, const Coefficients<R, 6>& c) {
        const R d = theta - c[0];
        return c[2] + d * (R(2) * c[3] + d * (R(3) * c[4] + d * (R(4) * c[5])));
    }
};

}  // namespace aureole::md::terms
