// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct CubicBond {
    static constexpr const char* words = "Cubic bond, U(r) = k (r - r0)^2 + k k3 (r - r0)^3.";
    static constexpr Parameter parameters[] = {
        {"r0", "length", "equilibrium length"},
        {"k", "energy/length^2", "quadratic coefficient (half the force constant)"},
        {"k3", "1/length", "cubic coefficient, relative to k"},
    };
    using variable = Distance;

    template <class R>
    AUREOLE_FN static R energy(R r, const Coefficients<R, 3>& c) {
        const R d = r - c[0];
        return c[1] * d * d * (R(1) + c[2] * d);
    }
};

}  // namespace aureole::md::terms
