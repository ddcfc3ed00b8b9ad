// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/world.hpp"
#include "device/queue.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/particles/tag_map.kernel.hpp"

namespace aureole::md {

/// Rigid groups, for barostats, whose particles several ranks own. All ranks make and scale them
/// together. On hosts.
class SpanningGroups {
  public:
    /// The number of each tag's group, or -1.
    SpanningGroups(comm::World& world, std::vector<std::int32_t> group_of_tag);

    std::int64_t size() const { return size_; }
    bool has(Tag tag) const { return group_of_tag_[static_cast<std::size_t>(tag)] >= 0; }
    /// The tags of the particles that this rank owns, in their order.
    void localise(std::span<const Tag> tags);
    /// Scales velocities as ScaleGroupVelocities does.
    void scale_velocities(device::Queue& queue, const MotionColumns& columns, const Strain* by);

  private:
    /// Momentum and mass of a group.
    struct Momentum {
        core::Vec3d momentum{};
        double mass = 0;
    };
    std::vector<Momentum> momenta(const MotionColumns& columns) const;

    comm::World& world_;
    std::vector<std::int32_t> group_of_tag_;
    std::int64_t size_ = 0;
    std::vector<std::int32_t> index_, group_;  ///< of each particle here that is in a group
};

}  // namespace aureole::md
