// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "core/macros.hpp"

namespace aureole::md {

/// The inverse of a box's matrix: f_x = xx x + xy y + xz z, f_y = yy y + yz z, f_z = zz z.
struct MeshMap {
    double xx, xy, xz, yy, yz, zz;

    static MeshMap of(const core::Box& b) {
        return {1 / b.lx, -b.xy / b.lx, (b.xy * b.yz - b.xz) / b.lx,
                1 / b.ly, -b.yz / b.ly, 1 / b.lz};
    }
    AUREOLE_FN core::Vec3d fractional(const core::Vec3d& r) const {
        return {xx * r.x + xy * r.y + xz * r.z, yy * r.y + yz * r.z, zz * r.z};
    }
    /// Gradient by Cartesian coordinates from that by fractional ones; also the wave vector of
    /// whole numbers.
    AUREOLE_FN core::Vec3d gradient(double x, double y, double z) const {
        return {xx * x, xy * x + yy * y, xz * x + yz * y + zz * z};
    }
};

}  // namespace aureole::md
