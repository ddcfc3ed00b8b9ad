// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "md/step/stepper.hpp"

// Moves that are no steps in time: steepest descent, and onto constraints.
namespace aureole::md {

using core::Profile;

template <class Lists>
LargestForce Stepper<Lists>::largest_force() {
    auto& p = system_.particles;
    column_.resize(queue_, p.n);
    device::parallel_for(queue_, "accelerations", p.n,
                         Accelerations<Place>{columns(), lists_.place(), column_.data()});
    if (topology_.constraints)
        topology_.constraints->apply_velocities(
            queue_, {context_.box(), p.position.view(), column_.view(), 1, false});
    device::parallel_for(queue_, "forces", p.n, TimesMass{columns(), column_.data()});
    const auto out = context_.template reduced<LargestForce>(
        "largest force", SquareOfForce{column_.data(), p.tag.data()});
    descent_ = out.square > 0 ? 1 / std::sqrt(out.square) : 0;
    return out;
}

/// Along the forces of the last largest_force(). Constraints cannot be met from everywhere: then
/// nothing has moved.
template <class Lists>
bool Stepper<Lists>::descend(double length) {
    auto& p = system_.particles;
    context_.before.resize(queue_, p.n);
    device::parallel_for(
        queue_, "descend", p.n,
        Descend{columns(), column_.data(), context_.before.data(), length * descent_});
    const bool met = constrain(1, false);
    const auto farthest = context_.template reduced<double>(
        "farthest move", SquareOfMove{p.position.data(), context_.before.data()}, device::Max{});
    if (!met || !(farthest < context_.r_cut * context_.r_cut)) {
        device::copy(queue_, p.position.view(), context_.before.view());
        return false;
    }
    device::parallel_for(
        queue_, "difference", p.n,
        TakeDifference{p.position.data(), context_.before.data(), context_.before.data()});
    settle_positions();
    return true;
}

template <class Lists>
void Stepper<Lists>::ascend() {
    auto& p = system_.particles;
    device::parallel_for(queue_, "go back", p.n, GoBack{p.position.data(), context_.before.data()});
    settle_positions();
}

template <class Lists>
void Stepper<Lists>::meet_constraints() {
    auto& p = system_.particles;
    context_.before.resize(queue_, p.n);
    device::parallel_for(queue_, "keep places", p.n, Drift{columns(), context_.before.data(), 0});
    constrain_or_throw(1, false);
    device::parallel_for(queue_, "stop frozen", p.n, StopFrozen{columns()});
    construct_sites();
    if (!topology_.constraints) return;
    topology_.constraints->enqueue_velocities(
        queue_, {context_.box(), p.position.view(), p.velocity.view(), 1, false});
    if (system_.motion.scheme != Scheme::leap_frog) return;
    // Velocities of half a step before: lengths were right a step before too.
    const double back = -system_.motion.dt;
    device::parallel_for(queue_, "step back", p.n, Drift{columns(), context_.before.data(), back});
    constrain_or_throw(back, true);
    device::copy(queue_, p.position.view(), context_.before.view());
    construct_sites();
}

/// Forces for positions that were moved by hand, a little.
template <class Lists>
void Stepper<Lists>::settle_positions() {
    auto& p = system_.particles;
    construct_sites();
    device::parallel_for(queue_, "store", p.n,
                         StoreWatched<Place>{p.position.data(), p.tag.data(), lists_.place(),
                                             context_.state.data(), true});
    const auto s = context_.look();
    if (s.blown_up != StepState::nobody) context_.report_blow_up(s.blown_up);
    if (s.list_outlived != 0) lists_.renew();
    // No move has taken the forces of the places before.
    device::parallel_for(queue_, "clear forces", p.n, ClearForces<Place>{lists_.place()});
    compute_forces();
}

}  // namespace aureole::md
