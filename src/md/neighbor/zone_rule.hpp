// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/box.hpp"
#include "md/neighbor/zone.hpp"

namespace aureole::md {

/// The rule of which rank computes what several particles have in common: along each axis the
/// lowest of the ranks that own them, which has the others as ghosts. Pairs in lists follow this
/// rule, too.
class ZoneRule {
  public:
    /// Rule for a rank that has all particles.
    ZoneRule() = default;
    /// `zones` and positions of the owned particles and the ghosts at the last search; `ranks`
    /// along each axis.
    ZoneRule(const core::Box& box, const core::Vec3i& ranks, std::span<const Zone> zones,
             std::vector<core::Vec3d> position)
        : box_(box),
          ranks_(ranks),
          zones_(zones.begin(), zones.end()),
          position_(std::move(position)) {}

    /// Whether it is this rank that computes what these particles, by local indices, have in
    /// common. At most one of the ranks that have them all does; none for linked ones.
    bool here(std::span<const std::int32_t> particles) const {
        if (zones_.empty()) return true;
        const auto is_owned = [owned = zones_[0].end](std::int32_t i) { return i < owned; };
        if (std::ranges::all_of(particles, is_owned)) return true;  // most
        unsigned axes = 7;
        for (const auto i : particles) {
            if (is_linked(i)) return false;
            axes &= zone_of(i).axes;
        }
        return axes == 0 && nearest(0, ranks_.x, particles) && nearest(1, ranks_.y, particles) &&
               nearest(2, ranks_.z, particles);
    }

    /// Pairs of excluded particles, by local indices, that fall to this rank although the zones'
    /// rule gives them to none.
    void claim_pairs(std::vector<std::array<std::int32_t, 2>> pairs) {
        claimed_ = std::move(pairs);
    }
    const std::vector<std::array<std::int32_t, 2>>& claimed_pairs() const { return claimed_; }

  private:
    /// Linked particles come after all zones that the search had, or in one of their own.
    bool is_linked(std::int32_t i) const { return i >= zones_.back().end || zone_of(i).linked; }
    const Zone& zone_of(std::int32_t i) const {
        std::size_t z = 0;
        while (i >= zones_[z].end) ++z;
        return zones_[z];
    }
    /// Two ranks are each other's upper neighbours: both may have the particles, but as nearest
    /// images only one.
    bool nearest(int axis, int ranks, std::span<const std::int32_t> particles) const {
        if (ranks != 2) return true;
        const auto at = [&](std::int32_t i) {
            const auto f = box_.fractional(position_[static_cast<std::size_t>(i)]);
            const auto& shift = zone_of(i).shift;
            return axis == 0 ? f.x + shift.x : axis == 1 ? f.y + shift.y : f.z + shift.z;
        };
        // Of two ranks that have the same two particles, one sees them in the other order.
        for (const auto i : particles) {
            const double apart = at(i) - at(particles[0]);
            if (!(apart >= -0.5 && apart < 0.5)) return false;
        }
        return true;
    }

    core::Box box_;
    core::Vec3i ranks_{1, 1, 1};
    std::vector<Zone> zones_;
    std::vector<core::Vec3d> position_;
    std::vector<std::array<std::int32_t, 2>> claimed_;
};

}  // namespace aureole::md
