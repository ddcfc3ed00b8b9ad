// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct CrossBondAngle {
    static constexpr const char* words =
        "Cross term of two bonds and their angle, U = k (r13 - r13_0) (r12 - r12_0 + r32 - r32_0), "
        "where the distance r13 of the end particles represents the angle.";
    static constexpr Parameter parameters[] = {
        {"r12", "length", "equilibrium length of the first bond"},
        {"r32", "length", "equilibrium length of the second bond"},
        {"r13", "length", "equilibrium distance of the end particles"},
        {"k", "energy/length^2", "force constant"},
    };
    static constexpr int links = 2;
    AUREOLE_FN static constexpr Link link(int l) { return AngleLinks::link(l); }

    template <class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const Coefficients<R, 4>& c,
                                 const TermTables<number_of<R>>&, Vec3<R>* force) {
        const Vec3<R> ends = d[0] - d[1];
        const R a2 = bounded(dot(d[0], d[0])), b2 = bounded(dot(d[1], d[1]));
        const R e2 = bounded(dot(ends, ends));
        const R stretch = sqrt(a2) - c[0] + sqrt(b2) - c[1], wide = sqrt(e2) - c[2];
        const Vec3<R> apart = (R(0) - c[3] * stretch * rsqrt(e2)) * ends;
        force[0] = apart + (R(0) - c[3] * wide * rsqrt(a2)) * d[0];
        force[1] = (R(0) - c[3] * wide * rsqrt(b2)) * d[1] - apart;
        return c[3] * wide * stretch;
    }
};

}  // namespace aureole::md::terms
