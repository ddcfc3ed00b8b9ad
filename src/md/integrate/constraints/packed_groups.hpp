// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/buffer.hpp"
#include "md/integrate/constraints/groups.hpp"
#include "md/particles/particles.hpp"
#include "md/particles/tag_map.hpp"

namespace aureole::md {

/// Equal groups in device memory, in packs that follow the local order.
class PackedGroups {
  public:
    PackedGroups() = default;
    /// Without masses and lengths if they are the same in all groups.
    PackedGroups(device::Queue& queue, int atoms, const std::vector<Tag>& tags);
    PackedGroups(device::Queue& queue, const GroupList& list, const std::vector<double>& mass,
                 const std::vector<double>& lengths);

    void localise(device::Queue& queue, const TagMap& tags);
    void set_lengths(device::Queue& queue, const std::vector<double>& lengths);
    std::int64_t packs() const { return packs_; }
    std::int64_t slots() const { return packs_ * pack_lanes; }
    GroupTables tables() const {
        return {atom_.data(), inv_mass_.data(), length_.data(), count_.data(), packs_};
    }

  private:
    void localise_packs(device::Queue& queue, const TagMap* tags);

    int atoms_ = 0, constraints_ = 0;
    std::int64_t groups_ = 0, packs_ = 0;
    std::vector<std::int32_t> rows_;  ///< [groups][constraints]
    device::Buffer<Tag> tags_;
    device::Buffer<std::int32_t> order_, atom_, count_;
    device::Buffer<std::uint32_t> key_;
    device::Buffer<double> inv_mass_of_, length_of_, inv_mass_, length_;
};

}  // namespace aureole::md
