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
    /// From the box's lower corner, where meshes begin as those of others do: one of an odd number
    /// of points begun in the middle would lie half a cell beside them.
    AUREOLE_FN core::Vec3d fractional(const core::Vec3d& r) const {
        return {0.5 + xx * r.x + xy * r.y + xz * r.z, 0.5 + yy * r.y + yz * r.z, 0.5 + zz * r.z};
    }
    /// Gradient by Cartesian coordinates from that by fractional ones; also the wave vector of
    /// whole numbers.
    AUREOLE_FN core::Vec3d gradient(double x, double y, double z) const {
        return {xx * x, xy * x + yy * y, xz * x + yz * y + zz * z};
    }
};

}  // namespace aureole::md
