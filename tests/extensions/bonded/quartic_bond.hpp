// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct QuarticBond {
    static constexpr const char* words = "Quartic bond, U(r) = k2 (r - r0)^2 + k4 (r - r0)^4.";
    static constexpr Parameter parameters[] = {
        {"r0", "length", "equilibrium length"},
        {"k2", "energy/length^2", "quadratic coefficient (half the force constant)"},
        {"k4", "energy/length^4", "quartic coefficient"},
    };
    using variable = Distance;

    template <class R>
    AUREOLE_FN static R energy(R r, const Coefficients<R, 3>& c) {
        const R d2 = (r - c[0]) * (r - c[0]);
        return d2 * (c[1] + c[2] * d2);
    }
};

}  // namespace aureole::md::terms
