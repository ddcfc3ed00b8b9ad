// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/periodic.hpp"

namespace aureole::md::terms {

struct AngleRestraint {
    static constexpr const char* words =
        "Restraint of the angle between two vectors, each from the first to the second particle of "
        "a pair, U(theta) = k [1 - cos(n (theta - theta0))].";
    static constexpr Parameter parameters[] = {
        {"theta0", "radian", "equilibrium angle"},
        {"k", "energy", "force constant (half the barrier height)"},
        {"n", "", "multiplicity"},
    };
    static constexpr int links = 2;
    static constexpr int apart = 2;  ///< both pairs may have a particle in common
    AUREOLE_FN static constexpr Link link(int l) { return {2 * l + 1, 2 * l}; }

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
        force[0] = force[1] = {R(0), R(0), R(0)};
        return PeriodicRestraint::evaluate(Bend<R>(d[0], d[1]), c, force[0], force[1]);
    }
};

}  // namespace aureole::md::terms
