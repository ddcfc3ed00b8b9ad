// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"

namespace aureole::core {

/// The shortest periodic image of a separation of any length, in boxes whose tilts are at most a
/// half; Box::minimum_image() knows it up to half the smallest face distance alone.
AUREOLE_FN Vec3d nearest_image(const Box& box, const Vec3d& separation) {
    const Vec3d d = box.minimum_image(separation);
    if (box.orthorhombic()) return d;
    Vec3d best = d;
    const int nx = box.periodic_x ? 1 : 0, ny = box.periodic_y ? 1 : 0, nz = box.periodic_z ? 1 : 0;
    for (int x = -nx; x <= nx; ++x)
        for (int y = -ny; y <= ny; ++y)
            for (int z = -nz; z <= nz; ++z) {
                const Vec3d other = d + box.lattice(x, y, z);
                if (dot(other, other) < dot(best, best)) best = other;
            }
    return best;
}

}  // namespace aureole::core
