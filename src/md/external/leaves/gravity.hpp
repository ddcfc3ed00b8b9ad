// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/external/external.hpp"

namespace aureole::md::externals {

struct Gravity {
    static constexpr const char* words =
        "Uniform acceleration, U = -m (gx x + gy y + gz z), with unwrapped coordinates along "
        "periodic axes.";
    static constexpr Parameter parameters[] = {
        {"gx", "length/time^2", "component along x", 0},
        {"gy", "length/time^2", "component along y", 0},
        {"gz", "length/time^2", "component along z", 0},
    };
    static constexpr Image image = Image::unwrapped;
    using reads = column::Columns<column::mass>;

    template <class R>
    AUREOLE_FN static R energy(const core::Vec3<R>& r, const ExternalParticle<Gravity>& particle,
                               const Coefficients<double, 3>& g) {
        return -particle[column::mass{}] * (g[0] * r.x + g[1] * r.y + g[2] * r.z);
    }
};

}  // namespace aureole::md::externals
