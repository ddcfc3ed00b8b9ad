// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/external/external.hpp"

namespace aureole::md::externals {

struct UniformForce {
    static constexpr const char* words =
        "Uniform force, U = -(fx x + fy y + fz z), with unwrapped coordinates along periodic axes.";
    static constexpr Parameter parameters[] = {
        {"fx", "energy/length", "component along x", 0},
        {"fy", "energy/length", "component along y", 0},
        {"fz", "energy/length", "component along z", 0},
    };
    static constexpr Image image = Image::unwrapped;

    template <class R>
    AUREOLE_FN static R energy(const core::Vec3<R>& r, const Coefficients<double, 3>& c) {
        return R(0) - (c[0] * r.x + c[1] * r.y + c[2] * r.z);
    }
};

}  // namespace aureole::md::externals
