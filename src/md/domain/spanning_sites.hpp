// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "comm/world.hpp"
#include "halo/links.hpp"
#include "md/domain/terms_here.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"

namespace aureole::md {

/// Virtual sites with parents on other ranks. The owner of a site constructs it from linked
/// parents; where these are sites, it constructs them as well. Forces on the site are spread there,
/// and forces on particles of other ranks go back to their owners. All ranks make and call them
/// together. On hosts.
class SpanningSites {
  public:
    SpanningSites(device::Queue& queue, comm::World& world, SiteSpec spec);

    /// To be called after every sort. `tags` of the particles that this rank owns, and the index of
    /// each.
    void localise(std::span<const Tag> tags, const halo::Links::FindOwned& owned);
    void construct(const SiteMove& move);
    void spread(const SiteForces& forces);
    /// Virial of the last spread() that wanted it.
    const core::Sym3d& last_virial() const { return virial_; }

    /// Rows of all terms, and of those of this rank's sites.
    std::int64_t size() const { return size_; }
    std::int64_t counted() const { return counted_; }

  private:
    std::vector<Tag> find_sites(std::span<const Tag> tags);
    void find_particles(const std::vector<Tag>& tags, const halo::Links::FindOwned& owned);
    void take(const core::Vec3d* position, const core::Vec3d* velocity);

    device::Queue& queue_;
    comm::World& world_;
    halo::Links links_;
    SiteSpec spec_;
    std::vector<std::uint8_t> is_site_;  ///< of each tag
    std::array<TermsByTag, site_kinds.size()> by_site_;
    std::int64_t size_ = 0, counted_ = 0, sites_ = 0;
    SiteSpec here_;  ///< of the particles here, by their numbers: owned sites come first
    std::optional<VirtualSites> solver_;
    struct Owned {
        std::int32_t number, index;
    };
    std::vector<Owned> owned_;
    std::vector<std::int32_t> linked_;  ///< the number of each link
    device::Buffer<core::Vec3d> position_, velocity_, force_;
    core::Sym3d virial_{};
};

}  // namespace aureole::md
