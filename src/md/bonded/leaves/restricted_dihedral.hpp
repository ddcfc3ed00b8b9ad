// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct RestrictedDihedral {
    static constexpr const char* words =
        "Restricted dihedral, U(phi) = k/2 (cos phi - cos phi0)^2 / sin^2 phi "
        "(Bulacu et al., J. Chem. Theory Comput. 9, 3282 (2013)).";
    static constexpr Parameter parameters[] = {
        {"phi0", "radian", "equilibrium dihedral"},
        {"k", "energy", "force constant"},
    };
    using variable = Dihedral;

    static Coefficients<double, 2> coefficients(const std::array<double, 2>& p,
                                                const TermConstants&) {
        return {std::cos(p[0]), p[1]};
    }
    template <class R>
    AUREOLE_FN static R energy(const Turn<R>& t, const Coefficients<R, 2>& c) {
        const R d = t.cosine - c[0];
        return R(0.5) * c[1] * d * d * inv_sine2(t.sine);
    }
    template <class R>
    AUREOLE_FN static R slope(const Turn<R>& t, const Coefficients<R, 2>& c) {
        const R s = inv_sine2(t.sine);
        return (R(0) - c[1]) * (t.cosine - c[0]) * (R(1) - t.cosine * c[0]) * s * s * t.sine;
    }

  private:
    /// The energy has poles at 0 and π; the bound keeps numbers there finite.
    template <class R>
    AUREOLE_FN static R inv_sine2(R sine) {
        return recip(max(sine * sine, R(1e-8)));
    }
};

}  // namespace aureole::md::terms
