// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/periodic.hpp"

namespace aureole::md::terms {

struct AngleRestraintZ {
    static constexpr const char* words =
        "Restraint of the angle between the z axis and the vector from the first to the second "
        "particle, U(theta) = k [1 - cos(n (theta - theta0))].";
    static constexpr Parameter parameters[] = {
        {"theta0", "radian", "equilibrium angle"},
        {"k", "energy", "force constant (half the barrier height)"},
        {"n", "", "multiplicity"},
    };
    static constexpr int links = 1;
    AUREOLE_FN static constexpr Link link(int) { return {1, 0}; }

    static constexpr const char* problem(const std::array<double, 3>& p, const TermConstants&) {
        return Periodic::problem(p[2]);
    }
    static Coefficients<double, 4> coefficients(const std::array<double, 3>& p,
                                                const TermConstants&) {
        return PeriodicRestraint::coefficients(p);
    }
    template <class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const Coefficients<R, 4>& c,
                                 const TermTables<number_of<R>>&, Vec3<R>* force) {
        const Vec3<R> z{R(0), R(0), R(1)};
        Vec3<R> on_axis{R(0), R(0), R(0)};
        force[0] = on_axis;
        return PeriodicRestraint::evaluate(Bend<R>(d[0], z), c, force[0], on_axis);
    }
};

}  // namespace aureole::md::terms
