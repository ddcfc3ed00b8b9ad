// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct BendingTorsion {
    static constexpr const char* words =
        "Combined bending and torsion, U = sin^3 theta1 sin^3 theta2 sum over n of cn cos^n phi "
        "(Bulacu et al., J. Chem. Theory Comput. 9, 3282 (2013)).";
    static constexpr Parameter parameters[] = {
        {"c0", "energy", "constant term"},        {"c1", "energy", "coefficient of cos"},
        {"c2", "energy", "coefficient of cos^2"}, {"c3", "energy", "coefficient of cos^3"},
        {"c4", "energy", "coefficient of cos^4"},
    };
    static constexpr int links = 3;
    AUREOLE_FN static constexpr Link link(int l) { return DihedralLinks::link(l); }

    template <class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const Coefficients<R, 5>& c,
                                 const TermTables<number_of<R>>&, Vec3<R>* force) {
        const Vec3<R> back{R(0) - d[1].x, R(0) - d[1].y, R(0) - d[1].z};
        const Bend<R> first(d[0], back), second(d[1], d[2]);
        const Torsion<R> torsion(d[0], d[1], d[2]);
        const R x = torsion.turn.cosine;
        const R polynomial = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
        const R rise = c[1] + x * (R(2) * c[2] + x * (R(3) * c[3] + x * (R(4) * c[4])));
        const R s1 = sqrt(first.normal2) * first.inv_lengths();
        const R s2 = sqrt(second.normal2) * second.inv_lengths();
        const R cube1 = s1 * s1 * s1, cube2 = s2 * s2 * s2;
        Vec3<R> on_back{R(0), R(0), R(0)};
        force[0] = force[1] = force[2] = on_back;
        // d(sin³ θ)/d(cos θ) = −3 sin θ cos θ
        first.push_cosine(R(-3) * s1 * first.cosine() * cube2 * polynomial, force[0], on_back);
        second.push_cosine(R(-3) * s2 * second.cosine() * cube1 * polynomial, force[1], force[2]);
        force[1] -= on_back;
        torsion.push(cube1 * cube2 * rise * (R(0) - torsion.turn.sine), force[0], force[1],
                     force[2]);
        return cube1 * cube2 * polynomial;
    }
};

}  // namespace aureole::md::terms
