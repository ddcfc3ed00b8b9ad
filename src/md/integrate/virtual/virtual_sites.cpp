// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/virtual/virtual_sites.hpp"

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

VirtualSites::VirtualSites(device::Queue& queue, const SiteSpec& spec) : total_(queue, 1) {
    const auto plan = plan_sites(spec);
    sites_ = static_cast<std::int64_t>(plan.size());
    std::vector<SiteDefinition> sites;
    std::vector<Tag> tags, parents;
    std::vector<double> weights;
    for (std::size_t k = 0; k < plan.size(); ++k) {
        const auto& site = plan[k];
        const bool new_level = k == 0 || site.level != plan[k - 1].level;
        const auto at = static_cast<std::int64_t>(k);
        if (new_level) levels_.push_back({at, 0});
        if (new_level || site.colour != plan[k - 1].colour) colours_.push_back({at, 0});
        ++levels_.back().count, ++colours_.back().count;
        sites.push_back({site.kind,
                         static_cast<std::int32_t>(site.parents.size()),
                         static_cast<std::int64_t>(parents.size()),
                         static_cast<std::int32_t>(k),
                         0,
                         {site.p[0], site.p[1], site.p[2]}});
        tags.push_back(site.tag);
        parents.insert(parents.end(), site.parents.begin(), site.parents.end());
        weights.insert(weights.end(), site.weights.begin(), site.weights.end());
        weights.resize(parents.size(), 1.0);
    }
    site_ = device::Buffer<SiteDefinition>(queue, sites_);
    device::copy_from_host(queue, site_.view(), sites.data());
    tag_ = to_device(queue, tags), parent_tag_ = to_device(queue, parents);
    index_ = device::Buffer<std::int32_t>(queue, tag_.size());
    parent_index_ = device::Buffer<std::int32_t>(queue, parent_tag_.size());
    weight_ = to_device(queue, weights);
    virial_ = device::Buffer<core::Sym3d>(queue, sites_);
}

SiteTables VirtualSites::tables() const {
    return {site_.data(), index_.data(), parent_index_.data(), weight_.data()};
}

void VirtualSites::localise(device::Queue& queue, const TagMap& tags) {
    device::parallel_for(queue, "localise sites", tag_.size(),
                         FindIndices{tag_.data(), tags.indices(), index_.data()});
    device::parallel_for(queue, "localise parents", parent_tag_.size(),
                         FindIndices{parent_tag_.data(), tags.indices(), parent_index_.data()});
}

void VirtualSites::construct(device::Queue& queue, const SiteMove& move) {
    for (const auto& level : levels_)
        device::parallel_for(queue, "construct sites", level.count,
                             ConstructSites{tables(), move.box, move.position.data,
                                            move.velocity.data, level.begin});
}

void VirtualSites::spread(device::Queue& queue, const SiteForces& forces) {
    core::Sym3d* virial = forces.want_virial ? virial_.data() : nullptr;
    for (auto colour = colours_.rbegin(); colour != colours_.rend(); ++colour)
        device::parallel_for(
            queue, "spread sites", colour->count,
            SpreadSites<ForceColumn>{tables(), forces.box, forces.position.data,
                                     ForceColumn{forces.force.data}, virial, colour->begin});
    if (!forces.want_virial) return;
    device::parallel_reduce<core::Sym3d>(queue, "virial of sites", sites_, core::Sym3d{},
                                         ReadSiteVirial{virial_.data()}, device::Sum{},
                                         total_.data());
}

}  // namespace aureole::md
