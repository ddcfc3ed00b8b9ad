// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/vec3.hpp"

namespace aureole::core {

/// Triclinic simulation box centred on the origin, with HOOMD-blue's conventions: lattice vectors
/// a = (lx, 0, 0), b = (xy ly, ly, 0), c = (xz lz, yz lz, lz); tilt factors are dimensionless.
struct Box {
    double lx = 0, ly = 0, lz = 0;
    double xy = 0, xz = 0, yz = 0;
    bool periodic_x = true, periodic_y = true, periodic_z = true;

    AUREOLE_FN constexpr bool periodic(int axis) const {
        return axis == 0 ? periodic_x : axis == 1 ? periodic_y : periodic_z;
    }
    AUREOLE_FN constexpr bool orthorhombic() const { return xy == 0 && xz == 0 && yz == 0; }
    AUREOLE_FN constexpr double volume() const { return lx * ly * lz; }

    /// The lattice vector n₁ a + n₂ b + n₃ c.
    AUREOLE_FN constexpr Vec3d lattice(double n1, double n2, double n3) const {
        return {n1 * lx + n2 * xy * ly + n3 * xz * lz, n2 * ly + n3 * yz * lz, n3 * lz};
    }
    /// Fractional coordinates in [-½, ½) for a point inside.
    AUREOLE_FN constexpr Vec3d fractional(const Vec3d& r) const {
        const double fz = r.z / lz;
        const double fy = (r.y - yz * lz * fz) / ly;
        const double fx = (r.x - xy * ly * fy - xz * lz * fz) / lx;
        return {fx, fy, fz};
    }
    AUREOLE_FN constexpr Vec3d cartesian(const Vec3d& f) const { return lattice(f.x, f.y, f.z); }

    /// Distances between opposite faces.
    AUREOLE_FN Vec3d face_distances() const {
        const double bx = xy, cx = xz, cy = yz;  // tilt factors
        const double na = std::sqrt(1 + bx * bx + (bx * cy - cx) * (bx * cy - cx));
        return {lx / na, ly / std::sqrt(1 + cy * cy), lz};
    }

    /// Moves r by whole lattice vectors into the box and counts them in `image`.
    AUREOLE_FN void wrap(Vec3d& r, Vec3i& image) const {
        const Vec3d f = fractional(r);
        const double n1 = periodic_x ? std::floor(f.x + 0.5) : 0;
        const double n2 = periodic_y ? std::floor(f.y + 0.5) : 0;
        const double n3 = periodic_z ? std::floor(f.z + 0.5) : 0;
        if (n1 == 0 && n2 == 0 && n3 == 0) return;
        r -= lattice(n1, n2, n3);
        image += Vec3i{static_cast<int>(n1), static_cast<int>(n2), static_cast<int>(n3)};
    }

    /// The shortest periodic image of a separation; exact for separations within half the smallest
    /// face distance.
    AUREOLE_FN Vec3d minimum_image(Vec3d d) const {
        if (periodic_z) {
            const double n = std::nearbyint(d.z / lz);
            d -= lattice(0, 0, n);
        }
        if (periodic_y) {
            const double n = std::nearbyint(d.y / ly);
            d -= lattice(0, n, 0);
        }
        if (periodic_x) d.x -= lx * std::nearbyint(d.x / lx);
        return d;
    }
};

}  // namespace aureole::core
