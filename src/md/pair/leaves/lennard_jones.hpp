// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/leaf/twelve_six.hpp"
#include "md/pair/potential.hpp"

namespace aureole::md::leaves {

struct LennardJones {
    static constexpr const char* words =
        "Lennard-Jones 12-6 potential, U(r) = 4 epsilon [(sigma/r)^12 - (sigma/r)^6].";
    static constexpr Parameter parameters[] = {
        {"epsilon", "energy", "depth of the well"},
        {"sigma", "length", "distance at which the energy is zero"},
    };

    static constexpr Coefficients<double, 2> coefficients(const std::array<double, 2>& p) {
        const double s3 = p[1] * p[1] * p[1], s6 = s3 * s3;
        return {4 * p[0] * s6 * s6, 4 * p[0] * s6};
    }
    template <class R>
    AUREOLE_FN static R energy(R r2, const Coefficients<R, 2>& c) {
        const R s2 = recip(r2), s6 = s2 * s2 * s2;
        return twelve_six(s6, c[0], c[1], s6);
    }
    template <class R>
    AUREOLE_FN static R force_over_r(R r2, const Coefficients<R, 2>& c) {
        const R s2 = recip(r2), s6 = s2 * s2 * s2;
        return twelve_six(s6, R(12) * c[0], R(6) * c[1], s6 * s2);
    }
};

}  // namespace aureole::md::leaves
