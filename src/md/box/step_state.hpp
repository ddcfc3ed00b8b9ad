// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/box.hpp"
#include "md/box/strain.hpp"
#include "md/particles/tag.hpp"

namespace aureole::md {

/// Memory of a barostat, and the changes that it asks for.
struct BarostatState {
    Strain rate;             ///< of the box, by Parrinello and Rahman [1/time]
    Strain pending;          ///< of the box, to be applied after the next move
    Strain velocity_strain;  ///< factor for velocities then, less one
    Strain at_once;          ///< factor for velocities at the end of the step, less one
    Strain applied;          ///< the last strain of the box
    double work = 0;         ///< energy that the barostat gave
};

/// Action of FIRE on velocities before a step.
enum class FireAction { none, mix, stop };

/// Memory of the minimiser FIRE, and its decision about the next step.
struct FireState {
    FireAction action = FireAction::none;
    double keep = 1, along = 0;  ///< to mix: v <- keep v + along F
    double time_step = 0;        ///< of the next step; 0 once it has converged
    double dt = 0, alpha = 0;
    std::int64_t downhill = 0;  ///< steps since the power was negative
    std::int64_t steps = 0;     ///< made so far
    double max_force = 0;       ///< on any particle
    bool converged = false;
};

/// The square of a force, infinite if it is not a number: comparisons would pass over NaN.
AUREOLE_FN double square_or_infinity(const core::Vec3d& force) {
    const double square = dot(force, force), infinity = __builtin_huge_val();
    return square < infinity ? square : infinity;
}

/// The largest force and its particle; the first of equal ones.
struct LargestForce {
    double square = 0;
    Tag tag = 0;

    AUREOLE_FN friend LargestForce operator+(const LargestForce& a, const LargestForce& b) {
        return a.square < b.square ? b : a;
    }
};

/// Memory of steepest descent, and its decision about the last trial.
struct DescentMemory {
    double step = 0;         ///< displacement of the particle with the largest force
    double energy = 0;       ///< lowest so far, that of the positions
    LargestForce largest;    ///< that constraints do not bear
    bool possible = true;    ///< the trial is near, and satisfies the constraints
    bool goes_back = false;  ///< the energy of the trial is higher
};

/// Request of a rank to all ranks after a step; the largest of all holds.
enum class Wish { none, renewal, blow_up };

/// State of a segment of steps, in device memory: kernels pass it to each other and to the host.
struct StepState {
    static constexpr Tag nobody = INT64_MAX;
    static constexpr std::int64_t never = INT64_MAX;

    std::int64_t step = 0;            ///< the step whose positions are current
    std::uint32_t list_expired = 0;   ///< a particle exceeded its limit in the inner list
    std::uint32_t outer_expired = 0;  ///< a particle has (nearly) exceeded its outer limit
    Tag blown_up = nobody;            ///< smallest tag with a non-finite or runaway move
    std::int64_t expired_at = never;  ///< first step of the segment at which the list had expired
    std::int64_t blown_at = never;    ///< first step at which a particle was thrown out
    double heat = 0;                  ///< energy that thermostats gave
    core::Box box{};                  ///< of the step's positions
    BarostatState barostat;
    FireState fire;
    DescentMemory descent;
    std::uint32_t unsatisfied = 0;        ///< constraints did not converge in a step,
    std::int64_t unsatisfied_at = never;  ///< at the latest in this one
    std::int64_t wild_at = never;         ///< first step at which the box changed by too much
    std::int64_t small_at = never;        ///< first step with a box too small for the cut-off
    std::int64_t chain_lost_at = never;  ///< first step at which a thermostat could not be followed
    double wild_strain = 0;              ///< relative change of the box at step wild_at
    double room = 0;                     ///< longest cut-off for the box of step small_at
    double square_of_forces = 0;         ///< Σ F², when it was last measured
    std::uint32_t blocks_done = 0;       ///< see device::HasAfterAll
};

/// After a step's positions: sets its number and records first events.
AUREOLE_FN void count_step(StepState& s) {
    ++s.step;
    if (s.list_expired != 0 && s.expired_at == StepState::never) s.expired_at = s.step;
    if (s.blown_up != StepState::nobody && s.blown_at == StepState::never) s.blown_at = s.step;
    if (s.unsatisfied != 0 && s.unsatisfied_at == StepState::never) s.unsatisfied_at = s.step;
}

}  // namespace aureole::md
