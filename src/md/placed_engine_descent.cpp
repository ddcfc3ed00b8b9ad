// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "md/integrate/dense.kernel.hpp"
#include "md/neighbor/packed.kernel.hpp"
#include "md/placed_engine.hpp"

// Moves that are no steps in time: steepest descent, and onto constraints.
namespace aureole::md {

template <class Place>
LargestForce PlacedEngine<Place>::largest_force() {
    auto& p = system_.particles;
    column_.resize(queue_, p.n);
    device::parallel_for(queue_, "accelerations", p.n,
                         Accelerations<Place>{columns(), place(), column_.data()});
    if (constraints_)
        constraints_->apply_velocities(queue_,
                                       {system_.box, p.position.view(), column_.view(), 1, false});
    device::parallel_for(queue_, "forces", p.n, TimesMass{columns(), column_.data()});
    const auto out =
        reduced<LargestForce>("largest force", SquareOfForce{column_.data(), p.tag.data()});
    descent_ = out.square > 0 ? 1 / std::sqrt(out.square) : 0;
    return out;
}

/// Along the forces of the last largest_force(). Constraints cannot be met from everywhere: then
/// nothing has moved.
template <class Place>
bool PlacedEngine<Place>::descend(double length) {
    auto& p = system_.particles;
    before_.resize(queue_, p.n);
    device::parallel_for(queue_, "descend", p.n,
                         Descend{columns(), column_.data(), before_.data(), length * descent_});
    const bool met = constrain(1, false);
    const auto farthest = reduced<double>(
        "farthest move", SquareOfMove{p.position.data(), before_.data()}, device::Max{});
    if (!met || !(farthest < r_cut_ * r_cut_)) {
        device::copy(queue_, p.position.view(), before_.view());
        return false;
    }
    device::parallel_for(queue_, "difference", p.n,
                         TakeDifference{p.position.data(), before_.data(), before_.data()});
    settle_positions();
    return true;
}

template <class Place>
void PlacedEngine<Place>::ascend() {
    auto& p = system_.particles;
    device::parallel_for(queue_, "go back", p.n, GoBack{p.position.data(), before_.data()});
    settle_positions();
}

template <class Place>
void PlacedEngine<Place>::meet_constraints() {
    auto& p = system_.particles;
    before_.resize(queue_, p.n);
    device::parallel_for(queue_, "keep places", p.n, Drift{columns(), before_.data(), 0});
    constrain_or_throw(1, false);
    device::parallel_for(queue_, "stop frozen", p.n, StopFrozen{columns()});
    construct_sites();
    if (!constraints_) return;
    constraints_->enqueue_velocities(queue_,
                                     {system_.box, p.position.view(), p.velocity.view(), 1, false});
    if (system_.motion.scheme != Scheme::leap_frog) return;
    // Velocities of half a step before: lengths were right a step before too.
    const double back = -system_.motion.dt;
    device::parallel_for(queue_, "step back", p.n, Drift{columns(), before_.data(), back});
    constrain_or_throw(back, true);
    device::copy(queue_, p.position.view(), before_.view());
    construct_sites();
}

/// Forces for positions that were moved by hand, a little.
template <class Place>
void PlacedEngine<Place>::settle_positions() {
    auto& p = system_.particles;
    construct_sites();
    device::parallel_for(
        queue_, "store", p.n,
        StoreWatched<Place>{p.position.data(), p.tag.data(), place(), state_.data(), true});
    StepState s;
    device::copy_to_host(queue_, &s, state_.view());
    if (s.blown_up != StepState::nobody) report_blow_up(s.blown_up);
    if (s.list_outlived != 0) renew_lists();
    // No move has taken the forces of the places before.
    device::parallel_for(queue_, "clear forces", p.n, ClearForces<Place>{place()});
    compute_forces();
}

template class PlacedEngine<Packed<float>>;
template class PlacedEngine<Packed<double>>;
template class PlacedEngine<Dense<float>>;
template class PlacedEngine<Dense<double>>;

}  // namespace aureole::md
