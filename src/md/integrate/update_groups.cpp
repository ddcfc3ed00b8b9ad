// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/update_groups.hpp"

#include "md/integrate/constraints/groups.hpp"

namespace aureole::md {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

void link(std::vector<Tag>& links, Tag a, Tag b) { links.push_back(a), links.push_back(b); }

/// Links that are kept if a molecule is too large for one group.
std::vector<Tag> short_links(const ConstraintSpec& spec, const std::vector<SitePlan>& sites) {
    std::vector<Tag> links;
    const auto& bonds = spec.constraint.particles;
    std::vector<int> degree(spec.mass.size(), 0);
    for (const auto tag : bonds) ++degree[at(tag)];
    for (std::size_t k = 0; k + 1 < bonds.size(); k += 2) {
        const auto a = bonds[k], b = bonds[k + 1];
        const bool a_hangs = degree[at(a)] == 1 && spec.mass[at(a)] < spec.mass[at(b)];
        const bool b_hangs = degree[at(b)] == 1 && spec.mass[at(b)] < spec.mass[at(a)];
        if (a_hangs || b_hangs) link(links, a, b);
    }
    for (const auto& site : sites) link(links, site.tag, site.parents[0]);
    return links;
}

}  // namespace

std::vector<std::int64_t> update_groups(const ConstraintSpec& constraints, const SiteSpec& sites,
                                        int most) {
    const auto n = constraints.mass.size();
    const auto plan = plan_sites(sites);
    auto links = constraints.constraint.particles;
    const auto& waters = constraints.settle.particles;
    for (std::size_t k = 0; k + 2 < waters.size(); k += 3)
        link(links, waters[k], waters[k + 1]), link(links, waters[k], waters[k + 2]);
    for (const auto& site : plan)
        for (const auto parent : site.parents) link(links, site.tag, parent);
    const auto whole = components(n, links);
    std::vector<int> size(n, 0);
    for (const auto group : whole) ++size[at(group)];
    std::vector<Tag> kept;
    const auto keep = [&](const std::vector<Tag>& from, bool small) {
        for (std::size_t k = 0; k + 1 < from.size(); k += 2)
            if ((size[at(whole[at(from[k])])] <= most) == small) link(kept, from[k], from[k + 1]);
    };
    keep(links, true);
    keep(short_links(constraints, plan), false);
    // A rigid water is never divided, whatever sites it has, nor are other small groups.
    const auto& bonds = constraints.constraint.particles;
    const auto bound = components(n, bonds);
    std::ranges::fill(size, 0);
    for (const auto group : bound) ++size[at(group)];
    for (std::size_t k = 0; k + 1 < bonds.size(); k += 2)
        if (size[at(bound[at(bonds[k])])] <= most) link(kept, bonds[k], bonds[k + 1]);
    for (std::size_t k = 0; k + 2 < waters.size(); k += 3)
        link(kept, waters[k], waters[k + 1]), link(kept, waters[k], waters[k + 2]);
    return components(n, kept);
}

}  // namespace aureole::md
