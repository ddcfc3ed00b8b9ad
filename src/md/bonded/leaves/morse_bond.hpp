// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct MorseBond {
    static constexpr const char* words = "Morse bond, U(r) = depth [1 - exp(-beta (r - r0))]^2.";
    static constexpr Parameter parameters[] = {
        {"r0", "length", "equilibrium length"},
        {"depth", "energy", "depth of the well (dissociation energy)"},
        {"beta", "1/length", "steepness of the well"},
    };
    using variable = Distance;

    template <class R>
    AUREOLE_FN static R energy(R r, const Coefficients<R, 3>& c) {
        const R open = R(1) - decay(r, c);
        return c[1] * open * open;
    }
    template <class R>
    AUREOLE_FN static R slope(R r, const Coefficients<R, 3>& c) {
        const R e = decay(r, c);
        return R(2) * c[1] * c[2] * (R(1) - e) * e;
    }

  private:
    template <class R>
    AUREOLE_FN static R decay(R r, const Coefficients<R, 3>& c) {
        return exp(c[2] * (c[0] - r));
    }
};

}  // namespace aureole::md::terms
