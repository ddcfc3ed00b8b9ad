// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/atomic.hpp"
#include "md/integrate/motion.kernel.hpp"

// How many particles go how far, beside what a thermal particle of their mass would in free flight.
namespace aureole::md {

/// Particles of similar mass are counted together, factors of two from the lightest one on, those
/// with a charge apart from those without: a few fast ions are not lost among many neutral atoms.
inline constexpr int mass_classes = 8;
inline constexpr int motion_classes = 2 * mass_classes;
inline constexpr int n_motion_levels = 16;
/// Squares of displacements in units of a thermal particle's along one axis.
AUREOLE_FN constexpr double motion_level(int k) {
    constexpr double levels[n_motion_levels] = {0,  4,  6,  8,   11,  15,   20,  27,
                                                36, 50, 75, 120, 300, 2000, 1e6, 1e15};
    return levels[k];
}

AUREOLE_FN int mass_class(double mass, double lightest) {
    constexpr double rounding = 1.001;
    const int k = std::ilogb(rounding * mass / lightest);
    return k < 0 ? 0 : k < mass_classes ? k : mass_classes - 1;
}

/// Classes without a charge come first.
AUREOLE_FN int motion_class(double mass, double lightest, bool charged) {
    return mass_class(mass, lightest) + (charged ? mass_classes : 0);
}

/// Particles of each class whose displacement lies between a level and the next one.
struct MotionCounts {
    std::int64_t at[motion_classes][n_motion_levels] = {};

    AUREOLE_FN friend MotionCounts operator+(MotionCounts a, const MotionCounts& b) {
        for (int c = 0; c < motion_classes; ++c)
            for (int k = 0; k < n_motion_levels; ++k) a.at[c][k] += b.at[c][k];
        return a;
    }
};

/// Drift and scale relative to which displacements are counted.
struct MotionScale {
    core::Vec3d drift;               ///< of the whole
    double inverse[motion_classes];  ///< of the square for a mass of 1
    double largest_inverse;

    /// Square of a displacement beside the drift, times the mass.
    AUREOLE_FN double weighted(const core::Vec3d& d, double mass) const {
        const core::Vec3d own = d - drift;
        return dot(own, own) * mass;
    }
    /// Whether such a square is of level 0 in all classes, as for most particles.
    AUREOLE_FN bool is_small(double of_weighted) const {
        return of_weighted * largest_inverse <= motion_level(1);
    }
    /// Level of such a square in a class; 0 up to motion_level(1).
    AUREOLE_FN int level(double of_weighted, int of_class) const {
        const double square = of_weighted * inverse[of_class];
        int k = 0;
        while (k + 1 < n_motion_levels && !(square <= motion_level(k + 1))) ++k;  // NaN: the last
        return k;
    }
};

/// Mass for the expected motion of virtual sites, which move with their parents.
inline constexpr double mass_of_sites = 12;

/// Masses of the particles that move; 0 of others, and `of_sites` of virtual sites.
AUREOLE_FN double moving_mass(const MotionColumns& c, std::int64_t i, double of_sites = 0) {
    const double mass = c.inverse_mass != 0 ? 1 / c.inverse_mass : c.mass[i];
    if (!(mass > 0)) return of_sites;
    return c.fixed(i) ? 0 : mass;
}

/// The inverse mass of a particle that moves, or 0.
struct InverseOfMovingMass {
    using device_kernel = void;
    MotionColumns c;

    AUREOLE_FN double operator()(std::int64_t i) const {
        const double mass = moving_mass(c, i);
        return mass > 0 ? 1 / mass : 0;
    }
};

/// The class of each particle.
struct MotionClasses {
    MotionColumns c;
    const double* charge;  ///< null: none is charged
    double lightest;

    AUREOLE_FN int of(std::int64_t i, double mass) const {
        return motion_class(mass, lightest, charge != nullptr && charge[i] != 0);
    }
};

/// Counts velocities, all of them. Those of virtual sites are not always up to date.
struct CountSpeeds {
    using device_kernel = void;
    MotionClasses classes;
    MotionScale scale;
    MotionCounts* counts;
    double of_sites;  ///< their mass; 0: they are left out

    AUREOLE_FN void operator()(std::int64_t i) const {
        const double mass = moving_mass(classes.c, i, of_sites);
        if (mass == 0) return;
        const int k = classes.of(i, mass);
        const double weighted = scale.weighted(classes.c.velocity[i], mass);
        core::atomic_add(&counts->at[k][scale.level(weighted, k)], 1);
    }
};

/// Counts displacements since a list was made, of those that went far.
template <class KernelLayout>
struct CountMotion {
    using device_kernel = typename KernelLayout::device_kernel;
    MotionClasses classes;
    KernelLayout layout;
    MotionScale scale;
    MotionCounts* counts;

    AUREOLE_FN void operator()(std::int64_t i) const {
        int of_class, level;
        if (went_far(i, of_class, level)) core::atomic_add(&counts->at[of_class][level], 1);
    }
    AUREOLE_FN bool went_far(std::int64_t i, int& of_class, int& level) const {
        const double mass = moving_mass(classes.c, i, mass_of_sites);
        if (mass == 0) return false;
        const double weighted = scale.weighted(layout.moved(i), mass);
        if (scale.is_small(weighted)) return false;
        of_class = classes.of(i, mass);
        level = scale.level(weighted, of_class);
        return level > 0;
    }
};

}  // namespace aureole::md
