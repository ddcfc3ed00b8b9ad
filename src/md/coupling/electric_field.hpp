// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/vec3.hpp"

namespace aureole::md {

/// E(t) = strength cos(ω (t − centre)) exp(−(t − centre)² / (2 width²)) along each axis; with width
/// 0 strength cos(ω t), without a pulse. It has no potential energy.
struct ElectricField {
    core::Vec3d strength{};  ///< force on a unit charge
    core::Vec3d omega{}, centre{}, width{};

    bool none() const { return dot(strength, strength) == 0; }
    bool changes() const { return !none() && dot(omega, omega) + dot(width, width) != 0; }
    AUREOLE_FN core::Vec3d at(double time) const {
        return {along(time, strength.x, omega.x, centre.x, width.x),
                along(time, strength.y, omega.y, centre.y, width.y),
                along(time, strength.z, omega.z, centre.z, width.z)};
    }

  private:
    AUREOLE_FN static double along(double time, double e, double w, double middle, double sigma) {
        if (!(sigma > 0)) return e * std::cos(w * time);  // no pulse: it has no centre
        const double t = time - middle;
        return e * std::cos(w * t) * std::exp(-0.5 * t * t / (sigma * sigma));
    }
};

}  // namespace aureole::md
