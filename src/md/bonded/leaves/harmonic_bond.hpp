// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct HarmonicBond {
    static constexpr const char* words = "Harmonic bond, U(r) = k/2 (r - r0)^2.";
    static constexpr Parameter parameters[] = {
        {"r0", "length", "equilibrium length"},
        {"k", "energy/length^2", "force constant"},
    };
    using variable = Distance;

    template <class R>
    AUREOLE_FN static R energy(R r, const Coefficients<R, 2>& c) {
        const R d = r - c[0];
        return R(0.5) * c[1] * d * d;
    }
    template <class R>
    AUREOLE_FN static R slope(R r, const Coefficients<R, 2>& c) {
        return c[1] * (r - c[0]);
    }
};

}  // namespace aureole::md::terms
