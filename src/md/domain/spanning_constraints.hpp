// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "comm/world.hpp"
#include "halo/links.hpp"
#include "md/domain/terms_here.hpp"
#include "md/integrate/constraints/constraints.hpp"

namespace aureole::md {

/// Constraints of molecules that several ranks share. Each rank corrects its own particles, in
/// regions that have the constraints around them as well, whose other particles are linked: one
/// exchange for each correction, and none between iterations. All ranks make, localise and apply
/// them together. On hosts.
class SpanningConstraints {
  public:
    /// `spec`: none of its constraints joins two fixed particles.
    SpanningConstraints(device::Queue& queue, comm::World& world, ConstraintSpec spec);

    /// To be called after every sort. `tags` of the particles that this rank owns, in their order,
    /// and the index of each.
    void localise(std::span<const Tag> tags, const halo::Links::FindOwned& owned);
    bool apply(const ConstraintMove& move);
    bool apply_velocities(const VelocityCorrection& correction);
    /// Sums of the last correction.
    const ConstraintSums& last_sums() const { return sums_; }

    std::int64_t size() const { return regions_.spec().constraint.size(); }
    /// Constraints whose first particle this rank owns.
    std::int64_t counted() const { return measured_.constraint.size(); }
    /// Constraints both of whose particles this rank owns.
    const ConstraintSpec& owned() const { return owned_; }

  private:
    /// Columns that a correction reads and changes, in local order.
    struct Columns {
        const core::Vec3d* fixed;
        core::Vec3d* corrected;
        core::Vec3d* velocity;  ///< null: not changed with them
    };

    void find_measured(std::span<const Tag> tags, const halo::Links::FindOwned& owned);
    void take(const Columns& from);
    void give(const Columns& to);
    template <class Solve, class Off>
    bool correct(const Columns& columns, bool wants_sums, const Solve& solve, const Off& off);

    device::Queue& queue_;
    comm::World& world_;
    halo::Links links_;
    DividedRegions regions_;
    TermsByTag by_first_;
    ConstraintSpec measured_, owned_;
    std::optional<Constraints> solver_;
    std::vector<std::int32_t> index_;  ///< of those particles here that are owned, which come first
    device::Buffer<core::Vec3d> fixed_, corrected_, velocity_;
    ConstraintSums sums_;
};

}  // namespace aureole::md
