// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/periodic.hpp"
#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct PeriodicDihedral {
    static constexpr const char* words =
        "Periodic dihedral, U(phi) = k [1 + cos(n phi - phi0)]; phi = 0 is cis.";
    static constexpr Parameter parameters[] = {
        {"phi0", "radian", "phase"},
        {"k", "energy", "force constant (half the barrier height)"},
        {"n", "", "multiplicity"},
    };
    using variable = Dihedral;

    static constexpr const char* problem(const std::array<double, 3>& p, const TermConstants&) {
        return Periodic::problem(p[2]);
    }
    static Coefficients<double, 4> coefficients(const std::array<double, 3>& p,
                                                const TermConstants&) {
        return Periodic::coefficients(p[0], p[1], p[2]);
    }
    template <class R>
    AUREOLE_FN static R energy(const Turn<R>& t, const Coefficients<R, 4>& c) {
        return Periodic::energy(t, c);
    }
    template <class R>
    AUREOLE_FN static R slope(const Turn<R>& t, const Coefficients<R, 4>& c) {
        return Periodic::slope(t, c);
    }
};

}  // namespace aureole::md::terms
