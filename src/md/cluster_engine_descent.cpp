// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/cluster_engine.hpp"
#include "md/integrate/molecules.kernel.hpp"

// Moves that are no steps in time: steepest descent, and onto constraints.
namespace aureole::md {

template <class T>
LargestForce ClusterEngine<T>::largest_force() {
    auto& p = system_.particles;
    column_.resize(queue_, p.n);
    device::parallel_for(queue_, "accelerations", p.n,
                         Accelerations<Packed<T>>{columns(), packed(), column_.data()});
    if (constraints_)
        constraints_->apply_velocities(queue_,
                                       {system_.box, p.position.view(), column_.view(), 1, false});
    device::parallel_for(queue_, "forces", p.n,
                         [c = columns(), f = column_.data()](std::int64_t i) {
                             if (!c.fixed(i)) f[i] *= 1 / c.inv_mass(i);
                         });
    device::Buffer<LargestForce> largest(queue_, 1);
    device::parallel_reduce<LargestForce>(queue_, "largest force", p.n, LargestForce{},
                                          SquareOfForce{column_.data(), p.tag.data()},
                                          device::Sum{}, largest.data());
    LargestForce out;
    device::copy_to_host(queue_, &out, largest.view());
    descent_ = out.square > 0 ? 1 / std::sqrt(out.square) : 0;
    return out;
}

/// Along the forces of the last largest_force(). Constraints cannot be met from everywhere: then
/// nothing has moved.
template <class T>
bool ClusterEngine<T>::descend(double length) {
    auto& p = system_.particles;
    before_.resize(queue_, p.n);
    device::parallel_for(queue_, "descend", p.n,
                         Descend{columns(), column_.data(), before_.data(), length * descent_});
    constrain(1, false);
    device::Buffer<double> farthest(queue_, 1);
    device::parallel_reduce<double>(queue_, "farthest move", p.n, 0.0,
                                    SquareOfMove{p.position.data(), before_.data()}, device::Max{},
                                    farthest.data());
    double most = 0;
    device::copy_to_host(queue_, &most, farthest.view());
    if (!(most < pairs_.r_cut() * pairs_.r_cut())) {
        device::copy(queue_, p.position.view(), before_.view());
        return false;
    }
    device::parallel_for(queue_, "difference", p.n,
                         TakeDifference{p.position.data(), before_.data(), before_.data()});
    settle_positions();
    return true;
}

template <class T>
void ClusterEngine<T>::ascend() {
    auto& p = system_.particles;
    device::parallel_for(queue_, "go back", p.n, GoBack{p.position.data(), before_.data()});
    settle_positions();
}

template <class T>
void ClusterEngine<T>::meet_constraints() {
    auto& p = system_.particles;
    before_.resize(queue_, p.n);
    device::parallel_for(queue_, "keep places", p.n, Drift{columns(), before_.data(), 0});
    constrain(1, false);
    construct_sites();
    if (!constraints_) return;
    constraints_->enqueue_velocities(queue_,
                                     {system_.box, p.position.view(), p.velocity.view(), 1, false});
    queue_.synchronize();
}

/// Forces for positions that were moved by hand, a little.
template <class T>
void ClusterEngine<T>::settle_positions() {
    auto& p = system_.particles;
    construct_sites();
    device::parallel_for(queue_, "store", p.n,
                         StoreWatched<Packed<T>>{p.position.data(), packed(), state_.data(), true});
    StepState s;
    device::copy_to_host(queue_, &s, state_.view());
    compute_forces(s.list_outlived != 0);
}

template class ClusterEngine<float>;
template class ClusterEngine<double>;

}  // namespace aureole::md
