// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct G96Bond {
    static constexpr const char* words =
        "Bond of the GROMOS-96 force field, U(r) = k/4 (r^2 - r0^2)^2.";
    static constexpr Parameter parameters[] = {
        {"r0", "length", "equilibrium length"},
        {"k", "energy/length^4", "force constant"},
    };
    using variable = SquareDistance;

    static constexpr Coefficients<double, 2> coefficients(const std::array<double, 2>& p,
                                                          const TermConstants&) {
        return {p[0] * p[0], p[1]};
    }
    template <class R>
    AUREOLE_FN static R energy(R r2, const Coefficients<R, 2>& c) {
        const R d = r2 - c[0];
        return R(0.25) * c[1] * d * d;
    }
    template <class R>
    AUREOLE_FN static R slope(R r2, const Coefficients<R, 2>& c) {
        return R(0.5) * c[1] * (r2 - c[0]);
    }
};

}  // namespace aureole::md::terms
