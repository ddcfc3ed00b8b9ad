// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "md/integrate/thermo.kernel.hpp"

// The minimiser FIRE: Bitzek, Koskinen, Gaehler, Moseler & Gumbsch, Phys. Rev. Lett. 97, 170201
// (2006), whose steps F1 to F4 these are.
namespace aureole::md {

struct FireSpec {
    double force_tolerance = 1e-4;  ///< largest force on any particle [energy/length]
    std::int64_t max_steps = 10000;
    double dt_start = 0.002;
};

/// The decision about the next step, from the power of the forces.
struct FireRule {
    static constexpr double f_inc = 1.1, f_dec = 0.5, alpha_start = 0.1, f_alpha = 0.99;
    static constexpr std::int64_t n_min = 5;

    double force_tolerance, dt_start;

    AUREOLE_FN double dt_max() const { return 10 * dt_start; }
    AUREOLE_FN double dt_min() const { return 0.02 * dt_start; }

    AUREOLE_FN void start(FireState& state) const {
        state = {};
        state.dt = dt_start, state.alpha = alpha_start;
    }
    AUREOLE_FN void decide(const FireSums& sums, FireState& s) const {
        s.action = FireAction::none;
        s.max_force = std::sqrt(sums.largest_force2);
        s.converged = s.max_force <= force_tolerance;
        if (s.converged) {
            s.time_step = 0;
            return;
        }
        if (sums.power > 0)
            go_downhill(sums, s);
        else if (s.steps > 0)
            stop(s);
        s.time_step = s.dt;
    }

  private:
    /// F2 and F3.
    AUREOLE_FN void go_downhill(const FireSums& sums, FireState& s) const {
        s.action = FireAction::mix;
        s.keep = 1 - s.alpha;
        s.along = s.alpha * (sums.force2 > 0 ? std::sqrt(sums.speed2 / sums.force2) : 0);
        if (++s.downhill <= n_min) return;
        s.dt = f_inc * s.dt < dt_max() ? f_inc * s.dt : dt_max();
        s.alpha *= f_alpha;
    }
    /// F4.
    AUREOLE_FN void stop(FireState& s) const {
        s.action = FireAction::stop;
        s.downhill = 0, s.alpha = alpha_start;
        s.dt = f_dec * s.dt > dt_min() ? f_dec * s.dt : dt_min();
    }
};

/// F1, before the first step (`first`) and after each one.
struct DecideFire {
    using device_kernel = void;
    FireRule rule;
    const FireSums* sums;
    StepState* state;
    bool first;

    AUREOLE_FN void operator()(std::int64_t) const {
        auto& fire = state->fire;
        if (first)
            rule.start(fire);
        else if (!fire.converged)
            ++fire.steps;
        rule.decide(*sums, fire);
        state->square_of_forces = sums->force2;
    }
};

/// Velocities as FIRE has decided.
template <class KernelLayout>
struct MixFire {
    using device_kernel = typename KernelLayout::device_kernel;
    MotionColumns c;
    KernelLayout layout;
    const StepState* state;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto& fire = state->fire;
        if (fire.action == FireAction::stop) c.velocity[i] = {};
        if (fire.action != FireAction::mix || c.fixed(i)) return;
        c.velocity[i] =
            free_part(c, i, kicked(fire.keep * c.velocity[i], fire.along, layout.read_force(i)));
    }
};

/// A kernel of motion whose times are parts of a step that FIRE has chosen.
template <class Kernel>
struct InStepOfFire {
    using device_kernel = typename Kernel::device_kernel;
    Kernel kernel;
    const StepState* state;

    AUREOLE_FN void operator()(std::int64_t i) const {
        Kernel now = kernel;
        now.scale_times(state->fire.time_step);
        now(i);
    }
};

}  // namespace aureole::md
