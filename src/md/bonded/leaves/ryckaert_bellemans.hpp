// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct RyckaertBellemans {
    static constexpr const char* words =
        "Ryckaert-Bellemans dihedral, U(phi) = sum over n of cn cos^n(phi - pi).";
    static constexpr Parameter parameters[] = {
        {"c0", "energy", "constant term"},        {"c1", "energy", "coefficient of cos"},
        {"c2", "energy", "coefficient of cos^2"}, {"c3", "energy", "coefficient of cos^3"},
        {"c4", "energy", "coefficient of cos^4"}, {"c5", "energy", "coefficient of cos^5"},
    };
    using variable = Dihedral;

    template <class R>
    AUREOLE_FN static R energy(const Turn<R>& t, const Coefficients<R, 6>& c) {
        const R x = R(0) - t.cosine;
        return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
    }
};

}  // namespace aureole::md::terms
