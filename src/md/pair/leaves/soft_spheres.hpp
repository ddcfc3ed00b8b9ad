// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/potential.hpp"

namespace aureole::md::leaves {

struct SoftSpheres {
    static constexpr const char* words =
        "Harmonic repulsion of overlapping spheres, U(r) = epsilon/2 (1 - r/sigma)^2 for r < "
        "sigma, where sigma is the mean of both particles' diameters (O'Hern et al., Phys. Rev. E "
        "68, 011306 (2003)).";
    static constexpr Parameter parameters[] = {
        {"epsilon", "energy", "twice the energy at r = 0"},
    };
    using diameter = user<"diameter", "length">;
    using reads = Columns<diameter>;

    template <class R>
    AUREOLE_FN static R energy(const Pair<R, reads>& pair, const Coefficients<R, 1>& c) {
        const R sigma = R(0.5) * (pair.i[diameter{}] + pair.j[diameter{}]);
        const R overlap = R(1) - sqrt(pair.r2) * recip(sigma);
        return select(R(0) < overlap, R(0.5) * c[0] * overlap * overlap, R(0));
    }
    template <class R>
    AUREOLE_FN static R force_over_r(const Pair<R, reads>& pair, const Coefficients<R, 1>& c) {
        const R sigma = R(0.5) * (pair.i[diameter{}] + pair.j[diameter{}]);
        const R inv_r = rsqrt(pair.r2), inv_sigma = recip(sigma);
        const R overlap = R(1) - pair.r2 * inv_r * inv_sigma;
        return select(R(0) < overlap, c[0] * overlap * inv_r * inv_sigma, R(0));
    }
};

}  // namespace aureole::md::leaves
