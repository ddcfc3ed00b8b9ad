// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"
#include "md/leaf/twelve_six.hpp"

namespace aureole::md::terms {

struct Pair {
    static constexpr const char* words =
        "Listed pair without a cut-off, U(r) = c12/r^12 - c6/r^6 + coulomb qq/r.";
    static constexpr Parameter parameters[] = {
        {"c6", "energy length^6", "dispersion coefficient"},
        {"c12", "energy length^12", "repulsion coefficient"},
        {"qq", "charge^2", "product of the charges"},
    };
    using variable = SquareDistance;

    static constexpr Coefficients<double, 3> coefficients(const std::array<double, 3>& p,
                                                          const TermConstants& constants) {
        return {p[0], p[1], constants.coulomb * p[2]};
    }
    template <class R>
    AUREOLE_FN static R energy(R r2, const Coefficients<R, 3>& c) {
        const R s = rsqrt(r2), s2 = s * s, s6 = s2 * s2 * s2;
        return twelve_six(s6, c[1], c[0], s6) + c[2] * s;
    }
    template <class R>
    AUREOLE_FN static R slope(R r2, const Coefficients<R, 3>& c) {
        const R s = rsqrt(r2), s2 = s * s, s6 = s2 * s2 * s2;
        return R(0) - s2 * (twelve_six(s6, R(6) * c[1], R(3) * c[0], s6) + R(0.5) * c[2] * s);
    }
};

}  // namespace aureole::md::terms
