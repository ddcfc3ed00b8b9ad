// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "md/step/stepper.hpp"

// Moves other than time steps: steepest descent, and satisfying constraints.
namespace aureole::md {

using core::Profile;

template <class Lists>
LargestForce Stepper<Lists>::largest_force() {
    auto& p = system_.particles;
    column_.resize(queue_, p.n);
    device::parallel_for(queue_, "accelerations", p.n,
                         Accelerations<KernelLayout>{columns(), lists_.layout(), column_.data()});
    if (topology_.constraints)
        topology_.constraints->apply_velocities(
            queue_, {context_.box(), p.position.view(), column_.view(), 1, false});
    device::parallel_for(queue_, "forces", p.n, MultiplyByMass{columns(), column_.data()});
    const auto out = context_.template reduced<LargestForce>(
        "largest force", SquareOfForce{column_.data(), p.tag.data()});
    descent_ = out.square > 0 ? 1 / std::sqrt(out.square) : 0;
    return out;
}

/// Along the forces of the last largest_force(). Constraints cannot be satisfied from everywhere:
/// then nothing has moved.
template <class Lists>
bool Stepper<Lists>::descend(double length) {
    auto& p = system_.particles;
    context_.before.resize(queue_, p.n);
    device::parallel_for(
        queue_, "descend", p.n,
        Descend{columns(), column_.data(), context_.before.data(), length * descent_});
    const bool satisfied = constrain(1, false);
    const auto farthest = context_.template reduced<double>(
        "farthest move", SquareOfDisplacement{p.position.data(), context_.before.data()},
        device::Max{});
    if (!satisfied || !(farthest < context_.r_cut * context_.r_cut)) {
        device::copy(queue_, p.position.view(), context_.before.view());
        return false;
    }
    device::parallel_for(
        queue_, "difference", p.n,
        Subtract{p.position.data(), context_.before.data(), context_.before.data()});
    settle_positions();
    return true;
}

template <class Lists>
void Stepper<Lists>::ascend() {
    auto& p = system_.particles;
    device::parallel_for(queue_, "go back", p.n,
                         UndoDisplacement{p.position.data(), context_.before.data()});
    settle_positions();
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

/// Forces for positions that were slightly displaced from outside.
template <class Lists>
void Stepper<Lists>::settle_positions() {
    auto& p = system_.particles;
    construct_sites();
    device::parallel_for(queue_, "store", p.n,
                         StoreAndCheck<KernelLayout>{p.position.data(), p.tag.data(),
                                                     lists_.layout(), context_.state.data(), true});
    const auto s = context_.look();
    if (s.blown_up != StepState::nobody) context_.report_blow_up(s.blown_up);
    if (s.list_expired != 0) lists_.renew();
    // No move has taken the forces of the previous positions.
    device::parallel_for(queue_, "clear forces", p.n, ClearForces<KernelLayout>{lists_.layout()});
    compute_forces();
}

}  // namespace aureole::md
