// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "md/integrate/motion.kernel.hpp"
#include "md/integrate/thermo.kernel.hpp"

// Kernels that let the steps of a segment run on a device without read-backs.
namespace aureole::md {

/// Resets the state before a segment.
struct BeginSegment {
    using device_kernel = void;
    StepState* state;

    AUREOLE_FN void operator()(std::int64_t) const {
        StepState begin;
        begin.step = state->step, begin.heat = state->heat;
        begin.box = state->box, begin.barostat = state->barostat;
        begin.fire = state->fire, begin.descent = state->descent;
        begin.chain_lost_at = state->chain_lost_at;  // after the last look
        begin.square_of_forces = state->square_of_forces;
        *state = begin;
    }
};

/// The motion of particles and the state, to be returned to.
struct SaveMotion {
    using device_kernel = void;
    std::int64_t n;
    const core::Vec3d *position, *velocity;
    const StepState* state;
    core::Vec3d *saved_position, *saved_velocity;
    StepState* saved_state;

    AUREOLE_FN void operator()(std::int64_t i) const {
        if (i < n) saved_position[i] = position[i], saved_velocity[i] = velocity[i];
        if (i == 0) *saved_state = *state;
    }
};

/// See count_step(); where no kernel that moves particles does it.
struct CountStep {
    using device_kernel = void;
    StepState* state;

    AUREOLE_FN void operator()(std::int64_t) const { count_step(*state); }
};

/// Twice the kinetic energy of all.
struct TakeTwiceKinetic {
    using device_kernel = void;
    const MotionSums* sums;
    double* out;

    AUREOLE_FN void operator()(std::int64_t) const { *out = sums->twice_kinetic.trace(); }
};

/// The change of the kinetic energy by noise.
struct CountNoiseEnergy {
    using device_kernel = void;
    const MotionSums *before, *after;
    StepState* state;

    AUREOLE_FN void operator()(std::int64_t) const {
        state->heat += 0.5 * (after->twice_kinetic.trace() - before->twice_kinetic.trace());
    }
};

/// The velocity of the centre of mass.
struct FindDrift {
    using device_kernel = void;
    const MotionSums* sums;
    core::Vec3d* drift;

    AUREOLE_FN void operator()(std::int64_t) const {
        *drift = (sums->mass > 0 ? 1 / sums->mass : 0) * sums->momentum;
    }
};

/// Subtracts it.
struct RemoveDrift {
    using device_kernel = void;
    MotionColumns c;
    const core::Vec3d* drift;

    AUREOLE_FN void operator()(std::int64_t i) const {
        if (!c.fixed(i)) c.velocity[i] = free_part(c, i, c.velocity[i] - *drift);
    }
};

}  // namespace aureole::md
