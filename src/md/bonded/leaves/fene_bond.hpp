// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct FeneBond {
    static constexpr const char* words =
        "Finitely extensible bond (FENE), U(r) = -k/2 r_max^2 ln(1 - (r / r_max)^2), infinite at "
        "r_max and beyond (Kremer & Grest, J. Chem. Phys. 92, 5057 (1990)).";
    static constexpr Parameter parameters[] = {
        {"r_max", "length", "maximum length"},
        {"k", "energy/length^2", "force constant at small lengths"},
    };
    using variable = SquareDistance;

    static constexpr const char* problem(const std::array<double, 2>& p, const TermConstants&) {
        return p[0] > 0 ? nullptr : "r_max must be positive";
    }
    static constexpr Coefficients<double, 2> coefficients(const std::array<double, 2>& p,
                                                          const TermConstants&) {
        return {p[0] * p[0], 0.5 * p[1]};
    }
    template <class R>
    AUREOLE_FN static R energy(R r2, const Coefficients<R, 2>& c) {
        using std::log;
        const R left = R(1) - r2 * recip(c[0]);
        return (R(0) - c[1] * c[0]) * select(R(0) < left, log(left), R(0) - infinity<R>());
    }
    template <class R>
    AUREOLE_FN static R slope(R r2, const Coefficients<R, 2>& c) {
        const R left = R(1) - r2 * recip(c[0]);
        return c[1] * select(R(0) < left, recip(left), infinity<R>());
    }

  private:
    template <class R>
    AUREOLE_FN static R infinity() {
        return R(std::numeric_limits<number_of<R>>::infinity());
    }
};

}  // namespace aureole::md::terms
