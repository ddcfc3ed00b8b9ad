// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

#include "md/external/external.hpp"

namespace aureole::md::externals {

/// Steele, Surf. Sci. 36, 317 (1973).
struct LennardJonesWall {
    static constexpr const char* words =
        "Flat Lennard-Jones 9-3 wall, U(d) = epsilon [2/15 (sigma/d)^9 - (sigma/d)^3], shifted to "
        "0 at r_cut and 0 beyond, where d = n r - offset is the distance from the wall along its "
        "unit normal n. The box must be open along the normal.";
    static constexpr Parameter parameters[] = {
        {"epsilon", "energy", "energy scale"},
        {"sigma", "length", "length scale"},
        {"nx", "", "x component of the normal, which points to the particles", 0},
        {"ny", "", "y component", 0},
        {"nz", "", "z component", 1},
        {"offset", "length", "position of the wall along the normal"},
        {"r_cut", "length", "cut-off distance from the wall"},
    };

    static const char* problem(const std::array<double, 7>& p, const core::Box& box) {
        if (!(p[1] > 0) || !(p[6] > 0)) return "sigma and r_cut must be positive";
        if (p[2] * p[2] + p[3] * p[3] + p[4] * p[4] == 0) return "the normal must not be zero";
        const auto normal = core::Vec3d{p[2], p[3], p[4]};
        if ((box.periodic_x && dot(normal, box.lattice(1, 0, 0)) != 0) ||
            (box.periodic_y && dot(normal, box.lattice(0, 1, 0)) != 0) ||
            (box.periodic_z && dot(normal, box.lattice(0, 0, 1)) != 0))
            return "the box is periodic along the normal, so particles would reach the wall from "
                   "behind";
        return nullptr;
    }
    static Coefficients<double, 8> coefficients(const std::array<double, 7>& p) {
        const double length = std::sqrt(p[2] * p[2] + p[3] * p[3] + p[4] * p[4]);
        const double sigma3 = p[1] * p[1] * p[1], at_cut = sigma3 / (p[6] * p[6] * p[6]);
        return {p[2] / length, p[3] / length, p[4] / length,        p[5],
                p[0],          sigma3,        energy(p[0], at_cut), at_cut};
    }
    template <class R>
    AUREOLE_FN static R energy(const core::Vec3<R>& r, const Coefficients<double, 8>& c) {
        const R inv_d = recip(c[0] * r.x + c[1] * r.y + c[2] * r.z - c[3]);
        const R s = c[5] * inv_d * inv_d * inv_d;  // negative behind the wall
        const R u = energy(R(c[4]), s) - c[6];
        return select(R(0) < s, select(R(c[7]) < s, u, R(0)), u * no_number);
    }

  private:
    /// Runs stop, with a diagnosis, at a force that is no number.
    static constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

    /// s = (sigma/d)^3
    template <class R>
    AUREOLE_FN static R energy(R epsilon, R s) {
        return epsilon * s * (2.0 / 15 * s * s - 1.0);
    }
};

}  // namespace aureole::md::externals
