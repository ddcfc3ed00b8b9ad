// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/potential.hpp"

namespace aureole::md::leaves {

struct PairFriction {
    static constexpr const char* words =
        "Friction of velocities relative to a flow, F = -gamma (1 - r/range)^2 (v . r) r / r^2 "
        "(Espanol & Warren, Europhys. Lett. 30, 191 (1995), without noise), between particles "
        "whose tags differ by two or more.";
    static constexpr Parameter parameters[] = {
        {"gamma", "mass/time", "friction where particles coincide"},
        {"range", "length", "distance at which it ends"},
    };
    using flow = user<"flow", "length/time", Vec3d>;
    using reads = Columns<velocity, tag, flow>;

    static constexpr double natural_cutoff(const std::array<double, 2>& p) { return p[1]; }

    template <class R>
    AUREOLE_FN static R energy(const Pair<R, reads>&, const Coefficients<R, 2>&) {
        return R(0);
    }
    template <class R>
    AUREOLE_FN static R force_over_r(const Pair<R, reads>& pair, const Coefficients<R, 2>& c) {
        const R inv_r = rsqrt(pair.r2), weight = R(1) - pair.r2 * inv_r * recip(c[1]);
        const auto v =
            (pair.i[velocity{}] - pair.i[flow{}]) - (pair.j[velocity{}] - pair.j[flow{}]);
        const R f = c[0] * weight * weight * dot(v, pair.d) * inv_r * inv_r;
        const R apart = pair.i[tag{}] - pair.j[tag{}];
        return select(apart * apart < R(2), R(0), R(0) - f);
    }
};

}  // namespace aureole::md::leaves
