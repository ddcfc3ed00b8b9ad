// SPDX-License-Identifier: Apache-2.0
#include "md/domain/rank_constraints.hpp"

#include "device/copy.hpp"

namespace aureole::md {

RankConstraints::RankConstraints(device::Queue& queue, const ConstraintSpec& spec,
                                 Constraints::Path path, SpanningConstraints* spanning)
    : here_(queue, spec, path), spanning_(spanning) {
    if (spanning == nullptr) return;
    shared_.emplace(queue, spanning->owned(), RegionPlan{});
    sums_ = device::Buffer<ConstraintSums>(queue, 1);
}

void RankConstraints::localise(device::Queue& queue, const TagMap& tags) {
    here_.localise(queue, tags);
    if (shared_) shared_->localise(queue, tags);
}

bool RankConstraints::enqueue(device::Queue& queue, const ConstraintMove& move) {
    const bool satisfied = spanning_ == nullptr || spanning_->apply(move);
    const bool all = here_.enqueue(queue, move) && satisfied;
    add_sums(queue, move.want_sums);
    return all;
}

bool RankConstraints::enqueue_velocities(device::Queue& queue,
                                         const VelocityCorrection& correction) {
    const bool satisfied = spanning_ == nullptr || spanning_->apply_velocities(correction);
    const bool all = here_.enqueue_velocities(queue, correction) && satisfied;
    add_sums(queue, correction.want_sums);
    return all;
}

void RankConstraints::add_sums(device::Queue& queue, bool wanted) {
    if (spanning_ == nullptr || !wanted) return;
    ConstraintSums sums;
    if (!here_.empty()) device::copy_to_host(queue, &sums, here_.last_sums());
    sums = sums + spanning_->last_sums();
    device::copy_from_host(queue, sums_.view(), &sums);
}

device::View<const ConstraintSums> RankConstraints::last_sums() const {
    return spanning_ == nullptr ? here_.last_sums()
                                : device::View<const ConstraintSums>(sums_.view());
}

Constraints::WorstLength RankConstraints::worst_length(device::Queue& queue,
                                                       const OfBox<ImageShift>& box,
                                                       device::View<const core::Vec3d> position) {
    const auto one = here_.worst_length(queue, box, position);
    if (!shared_) return one;
    const auto other = shared_->worst_length(queue, box, position);
    return other.deviation > one.deviation ? other : one;
}

Constraints::Rotation RankConstraints::worst_rotation(device::Queue& queue, const core::Box& box,
                                                      device::View<const core::Vec3d> before,
                                                      device::View<const core::Vec3d> after) {
    const auto one = here_.worst_rotation(queue, box, before, after);
    if (!shared_) return one;
    const auto other = shared_->worst_rotation(queue, box, before, after);
    return other.angle > one.angle ? other : one;
}

}  // namespace aureole::md
