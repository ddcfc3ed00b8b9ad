// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct RestrictedAngle {
    static constexpr const char* words =
        "Restricted bending, U(theta) = k/2 (cos theta - cos theta0)^2 / sin^2 theta "
        "(Bulacu et al., J. Chem. Theory Comput. 9, 3282 (2013)).";
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
    AUREOLE_FN static R energy(R x, const Coefficients<R, 2>& c) {
        const R d = x - c[0];
        return R(0.5) * c[1] * d * d * inv_sine2(x);
    }
    template <class R>
    AUREOLE_FN static R slope(R x, const Coefficients<R, 2>& c) {
        const R s = inv_sine2(x);
        return c[1] * (x - c[0]) * (R(1) - x * c[0]) * s * s;
    }

  private:
    /// The energy has poles at 0 and π; the bound keeps numbers there finite.
    template <class R>
    AUREOLE_FN static R inv_sine2(R x) {
        return recip(max((R(1) - x) * (R(1) + x), R(1e-8)));
    }
};

}  // namespace aureole::md::terms
