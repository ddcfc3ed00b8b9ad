// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct G96Angle {
    static constexpr const char* words =
        "Angle of the GROMOS-96 force field, U(theta) = k/2 (cos theta - cos theta0)^2.";
    static constexpr Parameter parameters[] = {
        {"theta0", "radian", "equilibrium angle"},
        {"k", "energy", "force constant"},
    };
    using variable = CosineOfAngle;

    static Coefficients<double, 2> coefficients(const std::array<double, 2>& p,
                                                const TermConstants&) {
        return {std::cos(p[0]), p[1]};
    }
    template <class R>
    AUREOLE_FN static R energy(R cosine, const Coefficients<R, 2>& c) {
        const R d = cosine - c[0];
        return R(0.5) * c[1] * d * d;
    }
    template <class R>
    AUREOLE_FN static R slope(R cosine, const Coefficients<R, 2>& c) {
        return c[1] * (cosine - c[0]);
    }
};

}  // namespace aureole::md::terms
