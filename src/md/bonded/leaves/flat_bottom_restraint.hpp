// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct FlatBottomRestraint {
    static constexpr const char* words =
        "Flat-bottomed position restraint, U(r) = k/2 (r - radius)^2 outside of a sphere, a "
        "cylinder or a layer around a reference and 0 inside; a negative radius keeps particles "
        "outside instead.";
    static constexpr Parameter parameters[] = {
        {"geometry", "",
         "1: sphere; 6, 7, 8 (or 2): cylinder along x, y, z; 3, 4, 5: layer normal to x, y, z"},
        {"radius", "length", "radius or half-thickness; negative to keep particles outside"},
        {"k", "energy/length^2", "force constant"},
        {"x", "length", "reference position"},
        {"y", "length", "reference position"},
        {"z", "length", "reference position"},
    };
    static constexpr int links = 1;
    AUREOLE_FN static constexpr Link link(int) { return {0, anchor}; }

    static constexpr const char* problem(const std::array<double, 6>& p, const TermConstants&) {
        const bool known = p[0] >= 1 && p[0] <= 8 && p[0] == static_cast<int>(p[0]);
        return known ? nullptr : "geometry must be a whole number between 1 and 8";
    }
    /// Which components count, size, 1 or -1 to keep out, stiffness, reference.
    static constexpr Coefficients<double, 9> coefficients(const std::array<double, 6>& p,
                                                          const TermConstants&) {
        constexpr double counts[][3] = {{1, 1, 1}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0},
                                        {0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
        const auto& on = counts[p[0] >= 1 && p[0] <= 8 ? static_cast<int>(p[0]) - 1 : 0];
        const double side = p[1] < 0 ? -1 : 1;
        return {on[0], on[1], on[2], side * p[1], side, p[2], p[3], p[4], p[5]};
    }
    template <class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const Coefficients<R, 9>& c,
                                 const TermTables<number_of<R>>&, Vec3<R>* force) {
        const Vec3<R> away{c[0] * d[0].x, c[1] * d[0].y, c[2] * d[0].z};
        const R r2 = bounded(dot(away, away));
        const R beyond = c[4] * max(c[4] * (sqrt(r2) - c[3]), R(0));
        force[0] = (R(0) - c[5] * beyond * rsqrt(r2)) * away;
        return R(0.5) * c[5] * beyond * beyond;
    }
};

}  // namespace aureole::md::terms
