// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct UnwrappedDihedral {
    static constexpr const char* words =
        "Harmonic dihedral without a periodic difference, U(phi) = k/2 (phi - phi0)^2 with phi "
        "from -pi to pi, as a custom force of OpenMM may have it. The energy jumps where phi "
        "passes pi, unless phi0 is 0.";
    static constexpr Parameter parameters[] = {
        {"phi0", "radian", "dihedral of lowest energy"},
        {"k", "energy/radian^2", "force constant"},
    };
    using variable = Dihedral;

    template <class R>
    AUREOLE_FN static R energy(const Turn<R>& t, const Coefficients<R, 2>& c) {
        const R d = atan2(t.sine, t.cosine) - c[0];
        return R(0.5) * c[1] * d * d;
    }
    template <class R>
    AUREOLE_FN static R slope(const Turn<R>& t, const Coefficients<R, 2>& c) {
        return c[1] * (atan2(t.sine, t.cosine) - c[0]);
    }
};

}  // namespace aureole::md::terms
