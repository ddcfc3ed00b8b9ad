// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct CrossBonds {
    static constexpr const char* words =
        "Cross term of the two bonds of an angle, U = k (r12 - r12_0) (r32 - r32_0).";
    static constexpr Parameter parameters[] = {
        {"r12", "length", "equilibrium length of the first bond"},
        {"r32", "length", "equilibrium length of the second bond"},
        {"k", "energy/length^2", "force constant"},
    };
    static constexpr int links = 2;
    AUREOLE_FN static constexpr Link link(int l) { return AngleLinks::link(l); }

    template <class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const Coefficients<R, 3>& c,
                                 const TermTables<number_of<R>>&, Vec3<R>* force) {
        const R a2 = bounded(dot(d[0], d[0])), b2 = bounded(dot(d[1], d[1]));
        const R a = sqrt(a2) - c[0], b = sqrt(b2) - c[1];
        force[0] = (R(0) - c[2] * b * rsqrt(a2)) * d[0];
        force[1] = (R(0) - c[2] * a * rsqrt(b2)) * d[1];
        return c[2] * a * b;
    }
};

}  // namespace aureole::md::terms
