// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/potential.hpp"

namespace aureole::md::leaves {

struct DipoleRepulsion {
    static constexpr const char* words =
        "Repulsion of parallel dipoles side by side, U(r) = k dipole_i dipole_j / r^3.";
    static constexpr Parameter parameters[] = {
        {"k", "energy length^3", "strength"},
    };
    using dipole = user<"dipole", "dipole">;
    using reads = Columns<dipole>;

    template <class R>
    AUREOLE_FN static R energy(const Pair<R, reads>& pair, const Coefficients<R, 1>& c) {
        const R inv_r = rsqrt(pair.r2);
        return c[0] * pair.i[dipole{}] * pair.j[dipole{}] * inv_r * inv_r * inv_r;
    }
};

}  // namespace aureole::md::leaves
