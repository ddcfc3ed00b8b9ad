// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/leaves/lennard_jones.hpp"

namespace aureole::md::leaves {

struct WCA {
    static constexpr const char* words =
        "Weeks-Chandler-Andersen potential: the repulsive part of Lennard-Jones, shifted up by "
        "epsilon, U(r) = 4 epsilon [(sigma/r)^12 - (sigma/r)^6] + epsilon; it ends at 2^(1/6) "
        "sigma.";
    static constexpr Parameter parameters[] = {
        {"epsilon", "energy", "energy at r = sigma"},
        {"sigma", "length", "distance at which the energy is epsilon"},
    };

    /// The potential's own end, used where no cut-off is given.
    static constexpr double natural_cutoff(const std::array<double, 2>& p) {
        return 1.122462048309373 * p[1];
    }
    static constexpr Coefficients<double, 3> coefficients(const std::array<double, 2>& p) {
        const auto lj = LennardJones::coefficients(p);
        return {lj[0], lj[1], p[0]};
    }
    template <class R>
    AUREOLE_FN static R energy(R r2, const Coefficients<R, 3>& c) {
        return LennardJones::energy<R>(r2, {c[0], c[1]}) + c[2];
    }
    template <class R>
    AUREOLE_FN static R force_over_r(R r2, const Coefficients<R, 3>& c) {
        return LennardJones::force_over_r<R>(r2, {c[0], c[1]});
    }
};

}  // namespace aureole::md::leaves
