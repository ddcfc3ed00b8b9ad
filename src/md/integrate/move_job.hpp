// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "md/integrate/packed.kernel.hpp"

namespace aureole::md {

/// The move of particles that are all free and of one mass, whole clusters at a time; the same to
/// the bit as `Move` of each.
template <class T>
struct MoveJob {
    core::Vec3d* position;
    core::Vec3d* velocity;
    Packed<T> place;
    double dt, inverse_mass;
    double surely;  ///< no move with smaller components is a blow-up
    bool owed;      ///< the closing half kick of the step before
    bool watch;     ///< the list is exact
    /// Moves one particle: those that share a cluster with fillers, and the suspicious.
    void (*single)(const void* self, std::int64_t i);
    const void* self;
};

/// Moves particles [begin, end). Returns whether one left the reach of the inner list.
template <class T>
using MoveKernel = bool (*)(const MoveJob<T>&, std::int64_t begin, std::int64_t end);

struct MoveKernels {
    MoveKernel<float> mixed;
    MoveKernel<double> full;

    template <class T>
    MoveKernel<T> of() const {
        if constexpr (sizeof(T) == sizeof(float))
            return mixed;
        else
            return full;
    }
};

/// Those of the instruction set in use.
MoveKernels move_kernels();

}  // namespace aureole::md
