// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct UreyBradley {
    static constexpr const char* words =
        "Urey-Bradley angle, U = k/2 (theta - theta0)^2 + k13/2 (r13 - r13_0)^2, harmonic in the "
        "angle and in the distance of its end particles.";
    static constexpr Parameter parameters[] = {
        {"theta0", "radian", "equilibrium angle"},
        {"k", "energy/radian^2", "force constant of the angle"},
        {"r13", "length", "equilibrium distance of the end particles"},
        {"k13", "energy/length^2", "force constant of the distance"},
    };
    static constexpr int links = 2;
    AUREOLE_FN static constexpr Link link(int l) { return AngleLinks::link(l); }

    template <class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const Coefficients<R, 4>& c,
                                 const TermTables<number_of<R>>&, Vec3<R>* force) {
        const Bend<R> bend(d[0], d[1]);
        const R wide = bend.angle() - c[0];
        const Vec3<R> ends = d[0] - d[1];
        const R r2 = bounded(dot(ends, ends)), longer = sqrt(r2) - c[2];
        force[0] = (R(0) - c[3] * longer * rsqrt(r2)) * ends;
        force[1] = {R(0) - force[0].x, R(0) - force[0].y, R(0) - force[0].z};
        bend.push_angle(c[1] * wide, force[0], force[1]);
        return R(0.5) * (c[1] * wide * wide + c[3] * longer * longer);
    }
};

}  // namespace aureole::md::terms
