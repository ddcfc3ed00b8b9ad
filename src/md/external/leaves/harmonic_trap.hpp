// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/external/external.hpp"

namespace aureole::md::externals {

struct HarmonicTrap {
    static constexpr const char* words =
        "Harmonic trap, U = kx/2 (x - x0)^2 + ky/2 (y - y0)^2 + kz/2 (z - z0)^2 of the nearest "
        "image; with one non-zero k it holds particles near a plane, with two near a line.";
    static constexpr Parameter parameters[] = {
        {"kx", "energy/length^2", "force constant along x", 0},
        {"ky", "energy/length^2", "force constant along y", 0},
        {"kz", "energy/length^2", "force constant along z", 0},
        {"x0", "length", "centre", 0},
        {"y0", "length", "centre", 0},
        {"z0", "length", "centre", 0},
    };
    static constexpr Image image = Image::nearest;

    AUREOLE_FN static core::Vec3d centre(const Coefficients<double, 6>& c) {
        return {c[3], c[4], c[5]};
    }
    template <class R>
    AUREOLE_FN static R energy(const core::Vec3<R>& r, const Coefficients<double, 6>& c) {
        const R x = r.x - c[3], y = r.y - c[4], z = r.z - c[5];
        return 0.5 * (c[0] * x * x + c[1] * y * y + c[2] * z * z);
    }
};

}  // namespace aureole::md::externals
