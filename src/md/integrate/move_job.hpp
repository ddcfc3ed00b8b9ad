// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "md/integrate/displacement.kernel.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/neighbor/packed.kernel.hpp"

namespace aureole::md {

/// The move of particles that are all free and of one mass, whole clusters at a time: `Move` of
/// each, to the bit without a thermostat.
template <class T>
struct MoveJob {
    MotionColumns c;
    Packed<T> layout;
    LangevinThermostat thermostat;  ///< read by the kernels of Langevin's equation
    std::int64_t step;
    double dt, kick;
    double surely;  ///< no move with smaller components is a blow-up
    bool pending;   ///< the closing half kick of the step before
    bool watch;     ///< the list is exact
    /// Moves one particle: those in a cluster with fillers, and those that may blow up.
    void (*single)(const void* self, std::int64_t i);
    const void* self;
};

/// The inner displacement limits of particles in a box that has not changed since the search.
template <class T>
struct LimitsJob {
    const core::Vec3d* velocity;
    Packed<T> layout;
    LimitRule rule;
    double grow, add;
    const float* halo;  ///< [n] displacement since the search that a halo allows; null: any
    /// Renews the limit of one particle: those in a cluster with fillers, and those that need more
    /// than the outer list covers.
    void (*single)(const void* self, std::int64_t i);
    const void* self;
};
template <class T>
using LimitsKernel = void (*)(const LimitsJob<T>&, std::int64_t begin, std::int64_t end);

/// Moves particles [begin, end). Returns whether one exceeded its displacement limit of the inner
/// list.
template <class T>
using MoveKernel = bool (*)(const MoveJob<T>&, std::int64_t begin, std::int64_t end);

/// So many particles' noise is drawn at once; no thread's part begins between them.
inline constexpr int drawn_at_once = 16;

/// Friction and noise of particles [begin, end).
using NoiseKernel = void (*)(const Noise& noise, std::int64_t begin, std::int64_t end);

/// Kernels of free flight and of Langevin's equation.
struct MoveKernels {
    MoveKernel<float> mixed[2];
    MoveKernel<double> full[2];
    NoiseKernel noise;
    LimitsKernel<float> limits_mixed;
    LimitsKernel<double> limits_full;

    template <class T>
    LimitsKernel<T> limits() const {
        if constexpr (sizeof(T) == sizeof(float))
            return limits_mixed;
        else
            return limits_full;
    }
    template <class T>
    MoveKernel<T> of(bool langevin) const {
        if constexpr (sizeof(T) == sizeof(float))
            return mixed[langevin ? 1 : 0];
        else
            return full[langevin ? 1 : 0];
    }
};

/// Kernels of the instruction set in use.
MoveKernels move_kernels();

}  // namespace aureole::md
