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

DividedConstraints divide_constraints(const ConstraintSpec& spec) {
    auto of_bonds = spec;
    of_bonds.settle = {};
    const auto all = without_fixed(of_bonds).constraint;
    const auto group = components(spec.mass.size(), all.particles);
    std::vector<int> size(spec.mass.size(), 0);
    for (const auto one : group) ++size[at(one)];
    DividedConstraints out;
    out.small.parameters = out.large.parameters = all.parameters;
    for (std::size_t k = 0; k < all.row.size(); ++k) {
        const auto a = all.particles[2 * k], b = all.particles[2 * k + 1];
        auto& to = size[at(group[at(a)])] > largest_update_group ? out.large : out.small;
        to.particles.insert(to.particles.end(), {a, b});
        to.row.push_back(all.row[k]);
    }
    return out;
}

DividedSites divide_sites(const SiteSpec& spec, const std::vector<Tag>& group_of_tag) {
    const auto plan = plan_sites(spec);
    const auto n = static_cast<std::size_t>(spec.n);
    std::vector<std::uint8_t> is_site(n, 0), divided(n, 0);
    for (const auto& site : plan) is_site[at(site.tag)] = 1;
    std::vector<Tag> links;
    for (const auto& site : plan)
        for (const auto parent : site.parents)
            if (is_site[at(parent)] != 0) link(links, site.tag, parent);
    const auto made_together = components(n, links);
    for (const auto& site : plan)
        for (const auto parent : site.parents)
            if (group_of_tag[at(parent)] != group_of_tag[at(site.tag)])
                divided[at(made_together[at(site.tag)])] = 1;
    DividedSites out;
    out.small.n = out.large.n = spec.n;
    for (const auto kind : site_kinds) {
        const auto& all = spec.*kind;
        (out.small.*kind).parameters = (out.large.*kind).parameters = all.parameters;
        if (all.row.empty()) continue;
        const auto each = static_cast<std::ptrdiff_t>(all.particles.size() / all.row.size());
        for (std::size_t k = 0; k < all.row.size(); ++k) {
            const auto first = all.particles.begin() + static_cast<std::ptrdiff_t>(k) * each;
            const bool large = divided[at(made_together[at(*first)])] != 0;
            auto& to = (large ? out.large : out.small).*kind;
            to.particles.insert(to.particles.end(), first, first + each);
            to.row.push_back(all.row[k]);
            if (large) out.any_large = true;
        }
    }
    return out;
}

}  // namespace aureole::md
