// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct DihedralRestraint {
    static constexpr const char* words =
        "Dihedral restraint, U(phi) = k/2 (|phi - phi0| - width)^2 beyond the width and 0 within "
        "it, with a periodic difference phi - phi0.";
    static constexpr Parameter parameters[] = {
        {"phi0", "radian", "centre of the flat range"},
        {"width", "radian", "half-width of the flat range"},
        {"k", "energy/radian^2", "force constant"},
    };
    using variable = Dihedral;

    static constexpr const char* problem(const std::array<double, 3>& p, const TermConstants&) {
        return p[1] >= 0 ? nullptr : "width must not be negative";
    }
    static Coefficients<double, 4> coefficients(const std::array<double, 3>& p,
                                                const TermConstants&) {
        return {std::cos(p[0]), std::sin(p[0]), p[1], p[2]};
    }
    template <class R>
    AUREOLE_FN static R energy(const Turn<R>& t, const Coefficients<R, 4>& c) {
        const R d = beyond(t, c);
        return R(0.5) * c[3] * d * d;
    }
    template <class R>
    AUREOLE_FN static R slope(const Turn<R>& t, const Coefficients<R, 4>& c) {
        return c[3] * beyond(t, c);
    }

  private:
    template <class R>
    AUREOLE_FN static R beyond(const Turn<R>& t, const Coefficients<R, 4>& c) {
        return outside(turned(t, {c[0], c[1]}), R(0) - c[2], c[2]);
    }
};

}  // namespace aureole::md::terms
