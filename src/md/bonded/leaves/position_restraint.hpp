// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct PositionRestraint {
    static constexpr const char* words =
        "Position restraint, U = sum over the components of k/2 (x - reference)^2.";
    static constexpr Parameter parameters[] = {
        {"kx", "energy/length^2", "force constant along x"},
        {"ky", "energy/length^2", "force constant along y"},
        {"kz", "energy/length^2", "force constant along z"},
        {"x", "length", "reference position"},
        {"y", "length", "reference position"},
        {"z", "length", "reference position"},
    };
    static constexpr int links = 1;
    AUREOLE_FN static constexpr Link link(int) { return {0, anchor}; }

    template <class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const Coefficients<R, 6>& c,
                                 const TermTables<number_of<R>>&, Vec3<R>* force) {
        const Vec3<R> pull{c[0] * d[0].x, c[1] * d[0].y, c[2] * d[0].z};
        force[0] = {R(0) - pull.x, R(0) - pull.y, R(0) - pull.z};
        return R(0.5) * dot(pull, d[0]);
    }
};

}  // namespace aureole::md::terms
