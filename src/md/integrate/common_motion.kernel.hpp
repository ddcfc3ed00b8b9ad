// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/motion.kernel.hpp"

// Translation and rotation that particles have in common, and their removal.
namespace aureole::md {

/// Sums for the rotation of the whole, about the origin.
struct RotationSums {
    double mass = 0;
    core::Vec3d moment{}, momentum{}, angular{};
    core::Sym3d second{};  ///< Σ m r ⊗ r

    AUREOLE_FN friend RotationSums operator+(RotationSums a, const RotationSums& b) {
        a.mass += b.mass, a.moment += b.moment, a.momentum += b.momentum, a.angular += b.angular;
        a.second += b.second;
        return a;
    }
};

AUREOLE_FN core::Vec3d cross(const core::Vec3d& a, const core::Vec3d& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Membership of particles in a group.
struct Members {
    const std::uint8_t* group = nullptr;  ///< null: all are in it
    std::uint8_t which = 0;

    AUREOLE_FN bool has(std::int64_t i) const { return group == nullptr || group[i] == which; }
};

struct SumRotation {
    using device_kernel = void;
    MotionColumns c;
    Members of;

    AUREOLE_FN RotationSums operator()(std::int64_t i) const {
        if (c.fixed(i) || !of.has(i)) return {};
        const double m = 1 / c.inv_mass(i);
        const auto r = c.position[i];
        const auto p = m * c.velocity[i];
        return {m, m * r, p, cross(r, p), core::outer(m, r)};
    }
};

/// The common motion of particles, about their centre.
struct CommonMotion {
    core::Vec3d centre, velocity, turn;
};

/// ω of a body with angular momentum I ω, from Σ m r ⊗ r about its centre. A line turns about the
/// two axes across it, and a point about none.
AUREOLE_FN core::Vec3d angular_velocity(const core::Sym3d& second, const core::Vec3d& angular) {
    const double trace = second.trace();
    const double xx = trace - second.xx, yy = trace - second.yy, zz = trace - second.zz;
    const double xy = -second.xy, xz = -second.xz, yz = -second.yz;
    const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
    const double determinant = xx * a + xy * b + xz * c;
    if (!(trace > 0)) return {};
    if (!(determinant > 1e-9 * trace * trace * trace)) return (1 / trace) * angular;
    const double d = xx * zz - xz * xz, e = xy * xz - xx * yz, f = xx * yy - xy * xy;
    return (1 / determinant) * core::Vec3d{a * angular.x + b * angular.y + c * angular.z,
                                           b * angular.x + d * angular.y + e * angular.z,
                                           c * angular.x + e * angular.y + f * angular.z};
}

/// The common motion from its sums.
struct FindCommonMotion {
    using device_kernel = void;
    const RotationSums* sums;
    bool rotation;
    CommonMotion* out;

    AUREOLE_FN void operator()(std::int64_t) const {
        const auto& s = *sums;
        *out = {};
        if (s.mass == 0) return;
        const auto centre = (1 / s.mass) * s.moment, common = (1 / s.mass) * s.momentum;
        core::Vec3d turn{};
        if (rotation) {
            const auto second = s.second + (-1.0) * core::outer(s.mass, centre);
            turn = angular_velocity(second, s.angular - cross(centre, s.momentum));
        }
        *out = {centre, common, turn};
    }
};

/// Removes translation and rotation of the whole.
struct RemoveRotation {
    using device_kernel = void;
    MotionColumns c;
    Members of;
    const CommonMotion* motion;

    AUREOLE_FN void operator()(std::int64_t i) const {
        if (c.fixed(i) || !of.has(i)) return;
        const auto& m = *motion;
        c.velocity[i] =
            free_part(c, i, c.velocity[i] - m.velocity - cross(m.turn, c.position[i] - m.centre));
    }
};

}  // namespace aureole::md
