// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/external/external.hpp"

namespace aureole::md::externals {

struct UniformForce {
    static constexpr const char* words =
        "The same force on every particle, U = -(fx x + fy y + fz z); along periodic axes x, y and "
        "z go on from box to box.";
    static constexpr Parameter parameters[] = {
        {"fx", "energy/length", "along x", 0},
        {"fy", "energy/length", "along y", 0},
        {"fz", "energy/length", "along z", 0},
    };
    static constexpr Image image = Image::unwrapped;

    template <class R>
    AUREOLE_FN static R energy(const core::Vec3<R>& r, const Coefficients<double, 3>& c) {
        return R(0) - (c[0] * r.x + c[1] * r.y + c[2] * r.z);
    }
};

}  // namespace aureole::md::externals
