// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "device/buffer.hpp"
#include "md/integrate/constraints/terms.hpp"
#include "md/integrate/virtual/site.kernel.hpp"
#include "md/particles/tag_map.hpp"

namespace aureole::md {

/// Virtual sites by kind, as in the topology of the Python package: the site, then its parents.
struct SiteSpec {
    std::int64_t n = 0;  ///< particles
    TermColumns vsite1, vsite2, vsite2fd, vsite3, vsite3fd, vsite3fad, vsite3out, vsite4fdn;
    TermColumns vsiten;  ///< one row for each (site, parent)
};
inline constexpr std::array site_kinds{
    &SiteSpec::vsite1,    &SiteSpec::vsite2,    &SiteSpec::vsite2fd,
    &SiteSpec::vsite3,    &SiteSpec::vsite3fd,  &SiteSpec::vsite3fad,
    &SiteSpec::vsite3out, &SiteSpec::vsite4fdn, &SiteSpec::vsiten};

/// A site, by tags.
struct SitePlan {
    SiteKind kind;
    Tag tag;
    std::vector<Tag> parents;
    std::vector<double> weights;  ///< of `mean`
    double p[3] = {0, 0, 0};
    int level = 0;   ///< 0: parents are particles; else one more than its highest parent
    int colour = 0;  ///< sites of one colour have no parent in common
};

/// Sites in the order in which they are constructed: by level, then colour. Throws core::InputError
/// for sites that cannot be constructed.
std::vector<SitePlan> plan_sites(const SiteSpec& spec);

struct SiteMove {
    OfBox<ImageShift> box;
    device::View<core::Vec3d> position;
    device::View<core::Vec3d> velocity{};  ///< sites get those of their positions, if given
};

struct SiteForces {
    OfBox<ImageShift> box;
    device::View<const core::Vec3d> position;
    device::View<core::Vec3d> force;
    bool want_virial = false;
};

/// Particles without mass that are constructed from others. Results do not depend on the number of
/// threads.
class VirtualSites {
  public:
    VirtualSites(device::Queue& queue, const SiteSpec& spec);

    bool empty() const { return sites_ == 0; }
    std::int64_t size() const { return sites_; }
    /// To be called after every sort.
    void localise(device::Queue& queue, const TagMap& tags);
    void construct(device::Queue& queue, const SiteMove& move);
    /// Moves forces from sites to parents. Where it is wanted, last_virial() is then what the moves
    /// add to the virial Σ r ⊗ F of forces that include those on sites.
    void spread(device::Queue& queue, const SiteForces& forces);
    /// Virial of the last spread() that wanted it, in device memory.
    device::View<const core::Sym3d> last_virial() const { return total_.view(); }

  private:
    struct Range {
        std::int64_t begin, count;
    };
    SiteTables tables() const;

    std::int64_t sites_ = 0;
    std::vector<Range> levels_, colours_;
    device::Buffer<SiteDefinition> site_;
    device::Buffer<Tag> tag_, parent_tag_;
    device::Buffer<std::int32_t> index_, parent_index_;
    device::Buffer<double> weight_;
    device::Buffer<core::Sym3d> virial_, total_;
};

}  // namespace aureole::md
