// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "core/macros.hpp"

namespace aureole::md {

/// The inverse of a box's matrix: f_x = xx x + xy y + xz z, f_y = yy y + yz z, f_z = zz z.
struct MeshMap {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    double volume = 0;  ///< of the box

    MeshMap() = default;
    AUREOLE_FN explicit MeshMap(const core::Box& b)
        : xx(1 / b.lx),
          xy(-b.xy / b.lx),
          xz((b.xy * b.yz - b.xz) / b.lx),
          yy(1 / b.ly),
          yz(-b.yz / b.ly),
          zz(1 / b.lz),
          volume(b.volume()) {}
    bool operator==(const MeshMap&) const = default;

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
