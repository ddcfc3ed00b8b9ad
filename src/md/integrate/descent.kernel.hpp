// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "md/integrate/thermo.kernel.hpp"
#include "md/neighbor/cluster_job.hpp"

// Steepest descent: a displacement along the forces, longer where the energy fell and shorter where
// it did not.
namespace aureole::md {

/// The displacement; `before` allows to undo it.
struct Descend {
    using device_kernel = void;
    MotionColumns c;
    const core::Vec3d* force;
    core::Vec3d* before;
    const StepState* state;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto& d = state->descent;
        const double per_force = d.largest.square > 0 ? 1 / std::sqrt(d.largest.square) : 0;
        before[i] = c.position[i];
        if (!c.fixed(i)) c.position[i] += free_part(c, i, (d.step * per_force) * force[i]);
    }
};

/// Square of a displacement; huge where a position is not finite.
struct SquareOfDisplacement {
    using device_kernel = void;
    const core::Vec3d *after, *before;

    AUREOLE_FN double operator()(std::int64_t i) const {
        const auto d = after[i] - before[i];
        const double d2 = dot(d, d);
        return d2 < 1e300 ? d2 : 1e300;
    }
};

/// Whether a trial is possible: constraints cannot be satisfied from everywhere.
struct AllowTrial {
    using device_kernel = void;
    const double* farthest2;  ///< square of the longest displacement
    double r_cut;
    bool satisfied;  ///< constraints are
    StepState* state;

    AUREOLE_FN void operator()(std::int64_t) const {
        state->descent.possible = satisfied && *farthest2 < r_cut * r_cut;
    }
};

/// Displacements in `before`; or positions as they were, if the trial is none.
struct FinishTrial {
    using device_kernel = void;
    core::Vec3d *position, *before;
    const StepState* state;

    AUREOLE_FN void operator()(std::int64_t i) const {
        if (state->descent.possible)
            before[i] = position[i] - before[i];
        else
            position[i] = before[i];
    }
};

/// The potential energy, from its terms.
struct EnergyOfTerms {
    const EnergyVirial* term;
    std::int64_t terms;
    double tail;

    AUREOLE_FN double operator()() const {
        double sum = 0;
        for (std::int64_t k = 0; k < terms; ++k) sum += term[k].energy;
        return sum + tail;
    }
};

struct StartDescent {
    using device_kernel = void;
    EnergyOfTerms energy;
    double step;
    StepState* state;

    AUREOLE_FN void operator()(std::int64_t) const {
        state->descent = {};
        state->descent.step = step, state->descent.energy = energy();
    }
};

/// After the energy of a trial.
struct DecideDescent {
    static constexpr double grow = 1.2, shrink = 0.5;
    using device_kernel = void;
    EnergyOfTerms energy;
    StepState* state;

    AUREOLE_FN void operator()(std::int64_t) const {
        auto& d = state->descent;
        d.goes_back = false;
        const double next = energy();
        if (!d.possible) {
            d.step *= shrink;
        } else if (next < d.energy) {
            d.energy = next, d.step *= grow;
        } else {
            d.goes_back = true, d.step *= shrink;
        }
    }
};

struct GoBack {
    using device_kernel = void;
    core::Vec3d* position;
    const core::Vec3d* moved;
    const StepState* state;

    AUREOLE_FN void operator()(std::int64_t i) const {
        if (state->descent.goes_back) position[i] -= moved[i];
    }
};

struct SquareOfForce {
    using device_kernel = void;
    const core::Vec3d* force;
    const Tag* tag;

    AUREOLE_FN LargestForce operator()(std::int64_t i) const {
        return {square_or_infinity(force[i]), tag[i]};
    }
};

}  // namespace aureole::md
