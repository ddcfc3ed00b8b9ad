// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/domain/spanning_constraints.hpp"
#include "md/integrate/constraints/constraints.hpp"

namespace aureole::md {

/// The constraints of one rank, with the interface of Constraints: those of its own particles, and
/// its part of molecules that it shares with other ranks. Where there are such molecules, all ranks
/// apply constraints together.
class RankConstraints {
  public:
    /// `spanning`: null where no molecule is shared; else localised before.
    RankConstraints(device::Queue& queue, const ConstraintSpec& spec, Constraints::Path path,
                    SpanningConstraints* spanning);

    bool empty() const { return here_.empty() && (spanning_ == nullptr || spanning_->size() == 0); }
    void localise(device::Queue& queue, const TagMap& tags);
    bool enqueue(device::Queue& queue, const ConstraintMove& move);
    bool enqueue_velocities(device::Queue& queue, const VelocityCorrection& correction);
    device::View<const ConstraintSums> last_sums() const;
    /// The constraints of this rank's own particles.
    Constraints& here() { return here_; }
    bool has_tolerance() const { return here_.has_tolerance(); }
    bool refine_more() { return here_.refine_more(); }
    /// The constraints that are violated most and that turned most, of those with both particles on
    /// this rank.
    Constraints::WorstLength worst_length(device::Queue& queue, const OfBox<ImageShift>& box,
                                          device::View<const core::Vec3d> position);
    Constraints::Rotation worst_rotation(device::Queue& queue, const core::Box& box,
                                         device::View<const core::Vec3d> before,
                                         device::View<const core::Vec3d> after);

  private:
    void add_sums(device::Queue& queue, bool wanted);

    Constraints here_;
    SpanningConstraints* spanning_;
    std::optional<Constraints> shared_;  ///< to be measured: both particles are here
    device::Buffer<ConstraintSums> sums_;
};

}  // namespace aureole::md
