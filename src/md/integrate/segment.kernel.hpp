// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "md/integrate/motion.kernel.hpp"
#include "md/integrate/thermo.kernel.hpp"

// What lets the steps of a segment follow each other on a device without the host looking on.
namespace aureole::md {

/// Forgets what happened before a segment.
struct BeginSegment {
    using device_kernel = void;
    StepState* state;

    AUREOLE_FN void operator()(std::int64_t) const {
        StepState begin;
        begin.step = state->step, begin.heat = state->heat;
        begin.box = state->box, begin.barostat = state->barostat;
        *state = begin;
    }
};

/// After a step's positions: its number, and what happened in it first.
struct CountStep {
    using device_kernel = void;
    StepState* state;

    AUREOLE_FN void operator()(std::int64_t) const {
        auto& s = *state;
        ++s.step;
        if (s.list_outlived != 0 && s.outlived_at == StepState::never) s.outlived_at = s.step;
        if (s.blown_up != StepState::nobody && s.blown_at == StepState::never) s.blown_at = s.step;
    }
};

/// Twice the kinetic energy of all.
struct TakeTwiceKinetic {
    using device_kernel = void;
    const MotionSums* sums;
    double* out;

    AUREOLE_FN void operator()(std::int64_t) const { *out = sums->twice_kinetic.trace(); }
};

/// What noise has changed the kinetic energy by.
struct CountHeat {
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

/// Takes it off.
struct TakeOffDrift {
    using device_kernel = void;
    MotionColumns c;
    const core::Vec3d* drift;

    AUREOLE_FN void operator()(std::int64_t i) const {
        if (!c.fixed(i)) c.velocity[i] = free_part(c, i, c.velocity[i] - *drift);
    }
};

}  // namespace aureole::md
