// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/potential.hpp"

namespace aureole::md::leaves {

struct Yukawa {
    static constexpr const char* words = "Yukawa potential, U(r) = epsilon exp(-kappa r) / r.";
    static constexpr Parameter parameters[] = {
        {"epsilon", "energy length", "strength"},
        {"kappa", "1/length", "inverse range"},
    };

    template <class R>
    AUREOLE_FN static R energy(R r2, const Coefficients<R, 2>& c) {
        const R r = sqrt(r2);
        return c[0] * exp(R(0) - c[1] * r) * recip(r);
    }
};

}  // namespace aureole::md::leaves
