// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "md/context/blow_up.hpp"
#include "md/step/stepper.hpp"

// Moves other than time steps: steepest descent, and satisfying constraints.
namespace aureole::md {

template <class Lists>
void Stepper<Lists>::find_largest_force() {
    auto& p = system_.particles;
    column_.resize(queue_, p.n);
    device::parallel_for(queue_, "accelerations", p.n,
                         Accelerations<KernelLayout>{columns(), lists_.layout(), column_.data()});
    if (topology_.constraints)
        topology_.constraints->enqueue_velocities(
            queue_, {context_.box(), p.position.view(), column_.view(), 1, false});
    device::parallel_for(queue_, "forces", p.n, MultiplyByMass{columns(), column_.data()});
    device::parallel_reduce<LargestForce>(queue_, "largest force", p.n, LargestForce{},
                                          SquareOfForce{column_.data(), p.tag.data()},
                                          device::Sum{}, &context_.state()->descent.largest);
    context_.combine_on_device(&context_.state()->descent.largest);
    measure_forces();
}

template <class Lists>
DescentMemory Stepper<Lists>::begin_descent(double step, double tail) {
    descent_tail_ = tail;
    device::parallel_for(queue_, "start descent", 1,
                         StartDescent{enqueue_potential(), step, context_.state()});
    find_largest_force();
    return context_.look().descent;
}

/// Keeps a trial or undoes it.
template <class Lists>
void Stepper<Lists>::judge_trial() {
    auto* const state = context_.state();
    renew_where_expired();
    compute_forces_anew();
    device::parallel_for(queue_, "decide", 1, DecideDescent{enqueue_potential(), state});
    device::parallel_for(queue_, "go back", system_.particles.n,
                         GoBack{system_.particles.position.data(), context_.before.data(), state});
    find_largest_force();
}

/// The host looks whether the list has expired, as it often does in descents, and what was decided.
template <class Lists>
DescentMemory Stepper<Lists>::descend() {
    auto& p = system_.particles;
    auto* const state = context_.state();
    context_.before.resize(queue_, p.n);
    auto* const before = context_.before.data();
    device::parallel_for(queue_, "descend", p.n, Descend{columns(), column_.data(), before, state});
    const bool satisfied = system_.combine(constrain(1, false) ? 1 : 0, device::Min{}) != 0;
    device::parallel_reduce<double>(queue_, "farthest move", p.n, 0.0,
                                    SquareOfDisplacement{p.position.data(), before}, device::Max{},
                                    farthest2_.data());
    context_.combine_on_device(farthest2_.data(), 1, device::Max{});
    device::parallel_for(queue_, "allow trial", 1,
                         AllowTrial{farthest2_.data(), context_.r_cut, satisfied, state});
    device::parallel_for(queue_, "finish trial", p.n,
                         FinishTrial{p.position.data(), before, state});
    place_positions();
    judge_trial();
    const auto decided = context_.look().descent;
    if (!decided.goes_back) return decided;
    settle_positions();
    find_largest_force();
    return context_.look().descent;
}

template <class Lists>
void Stepper<Lists>::satisfy_constraints() {
    auto& p = system_.particles;
    context_.before.resize(queue_, p.n);
    device::parallel_for(queue_, "keep positions", p.n,
                         Drift{columns(), context_.before.data(), 0});
    constrain_or_throw(1, false);
    device::parallel_for(queue_, "stop frozen", p.n, StopFrozen{columns()});
    construct_sites();
    if (!topology_.constraints) return;
    topology_.constraints->enqueue_velocities(
        queue_, {context_.box(), p.position.view(), p.velocity.view(), 1, false});
    if (system_.motion.scheme != Scheme::leap_frog) return;
    // Velocities are those of half a step before, when lengths were right too.
    const double back = -system_.motion.dt;
    device::parallel_for(queue_, "step back", p.n, Drift{columns(), context_.before.data(), back});
    constrain_or_throw(back, true);
    device::copy(queue_, p.position.view(), context_.before.view());
    construct_sites();
}

/// The kernels' coordinates of positions that are no step's.
template <class Lists>
void Stepper<Lists>::place_positions() {
    construct_sites();
    auto kernel = storing(false);
    kernel.watch = true;
    device::parallel_for(queue_, "store", system_.particles.n, kernel);
}

/// Ghosts get their positions, and the lists are renewed if any rank's have expired.
template <class Lists>
void Stepper<Lists>::renew_where_expired() {
    const auto seen = context_.look();
    const auto all = system_.combine(wish(seen, false), device::Max{});
    if (all == Wish::blow_up)
        report_of_any(queue_, system_, seen.blown_up, system_.counts.lists_outrun);
    if (lists_.agree(all) == Wish::renewal) lists_.renew();
}

template <class Lists>
Wish Stepper<Lists>::wish(const StepState& seen, bool due) const {
    if (seen.blown_up != StepState::nobody) return Wish::blow_up;
    return due || seen.list_expired != 0 ? Wish::renewal : Wish::none;
}

/// Computes forces where no move has taken those of the previous positions.
template <class Lists>
void Stepper<Lists>::compute_forces_anew() {
    if constexpr (Lists::flat) lists_.fit_force_unit();
    device::parallel_for(queue_, "clear forces", system_.particles.n,
                         ClearForces<KernelLayout>{lists_.layout()});
    compute_forces();
}

/// Forces for positions that were slightly displaced from outside.
template <class Lists>
void Stepper<Lists>::settle_positions() {
    place_positions();
    renew_where_expired();
    compute_forces_anew();
}

}  // namespace aureole::md
