// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct HarmonicImproper {
    static constexpr const char* words =
        "Harmonic improper dihedral, U(xi) = k/2 (xi - xi0)^2, with a periodic difference xi - "
        "xi0.";
    static constexpr Parameter parameters[] = {
        {"xi0", "radian", "equilibrium dihedral"},
        {"k", "energy/radian^2", "force constant"},
    };
    using variable = Dihedral;

    static Coefficients<double, 3> coefficients(const std::array<double, 2>& p,
                                                const TermConstants&) {
        return {std::cos(p[0]), std::sin(p[0]), p[1]};
    }
    template <class R>
    AUREOLE_FN static R energy(const Turn<R>& t, const Coefficients<R, 3>& c) {
        const R d = turned(t, {c[0], c[1]});
        return R(0.5) * c[2] * d * d;
    }
    template <class R>
    AUREOLE_FN static R slope(const Turn<R>& t, const Coefficients<R, 3>& c) {
        return c[2] * turned(t, {c[0], c[1]});
    }
};

}  // namespace aureole::md::terms
