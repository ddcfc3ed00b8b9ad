// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/motion.kernel.hpp"

namespace aureole::md {

/// Sums over particles that temperature, pressure and drift removal need.
struct MotionSums {
    core::Sym3d twice_kinetic{};  ///< Σ m v ⊗ v
    core::Vec3d momentum{};
    double mass = 0;
    double axes = 0;  ///< number of axes along which particles move

    AUREOLE_FN friend MotionSums operator+(MotionSums a, const MotionSums& b) {
        a.twice_kinetic += b.twice_kinetic;
        a.momentum += b.momentum;
        a.mass += b.mass, a.axes += b.axes;
        return a;
    }
};

struct SumMotion {
    using device_kernel = void;
    MotionColumns c;

    AUREOLE_FN MotionSums operator()(std::int64_t i) const {
        if (c.fixed(i)) return {};
        const double m = c.inverse_mass != 0 ? 1 / c.inverse_mass : c.mass[i];
        const auto v = free_part(c, i, c.velocity[i]);
        return {core::outer(m, v), m * v, m, double(c.axes(i))};
    }
};

/// Sums for the FIRE minimiser.
struct FireSums {
    double power = 0;   ///< Σ F · v
    double force2 = 0;  ///< Σ F²
    double speed2 = 0;  ///< Σ v²
    double largest_force2 = 0;

    AUREOLE_FN friend FireSums operator+(const FireSums& a, const FireSums& b) {
        return {a.power + b.power, a.force2 + b.force2, a.speed2 + b.speed2,
                a.largest_force2 < b.largest_force2 ? b.largest_force2 : a.largest_force2};
    }
};

/// One particle's part of Σ F².
template <class KernelLayout>
struct SquareOfForces {
    using device_kernel = typename KernelLayout::device_kernel;
    KernelLayout layout;

    AUREOLE_FN double operator()(std::int64_t i) const {
        return square_or_infinity(layout.read_force(i));
    }
};

/// One particle's part of FireSums.
template <class KernelLayout>
struct SumFire {
    using device_kernel = typename KernelLayout::device_kernel;
    MotionColumns c;
    KernelLayout layout;

    AUREOLE_FN FireSums operator()(std::int64_t i) const {
        if (c.fixed(i)) return {};
        const auto f = layout.read_force(i);
        const auto force = free_part(c, i, {double(f.x), double(f.y), double(f.z)});
        const auto v = c.velocity[i];
        const double f2 = square_or_infinity(force);
        return {dot(force, v), f2, dot(v, v), f2};
    }
};

}  // namespace aureole::md
