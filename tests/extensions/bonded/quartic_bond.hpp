// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct QuarticBond {
    static constexpr const char* words = "Quartic bond, U(r) = k (r - r0)^4.";
    static constexpr Parameter parameters[] = {
        {"r0", "length", "length at rest"},
        {"k", "energy/length^4", "stiffness"},
    };
    using variable = Distance;

    template <class R>
    AUREOLE_FN static R energy(R r, const Coefficients<R, 2>& c) {
        const R d = r - c[0];
        return c[1] * d * d * d * d;
    }
};

}  // namespace aureole::md::terms
