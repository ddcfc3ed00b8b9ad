// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "md/integrate/constraints/groups.hpp"
#include "md/integrate/update_groups.hpp"

// What ranks own together, and which constraints and sites they share.
namespace aureole::md {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

void link(std::vector<Tag>& links, Tag a, Tag b) { links.push_back(a), links.push_back(b); }

/// Sites with their first parents as far as particles are concerned.
struct Roots {
    std::vector<Tag> root;             ///< of each tag; its own where it is no site
    std::vector<std::uint8_t> is_far;  ///< sites some of whose parents are not near their root

    Roots(std::int64_t n, const std::vector<SitePlan>& sites, const NearEachOther& near)
        : root(at(n)), is_far(at(n), 0) {
        for (std::size_t i = 0; i < root.size(); ++i) root[i] = static_cast<Tag>(i);
        for (const auto& site : sites) {  // after those that it is made from
            const auto mine = root[at(site.tag)] = root[at(site.parents[0])];
            for (const auto parent : site.parents)
                if (is_far[at(parent)] != 0 || !near(root[at(parent)], mine))
                    is_far[at(site.tag)] = 1;
        }
    }
};

/// Groups that are not split: exact solutions of constraints need all of them.
constexpr int smallest = largest_star + 1;

std::vector<int> sizes(const std::vector<std::int64_t>& group) {
    std::vector<int> size(group.size(), 0);
    for (const auto one : group) ++size[at(one)];
    return size;
}

}  // namespace

std::vector<Tag> owner_groups(const ConstraintSpec& constraints, const SiteSpec& sites,
                              const NearEachOther& near) {
    const auto n = constraints.mass.size();
    const auto plan = plan_sites(sites);
    const Roots roots(static_cast<std::int64_t>(n), plan, near);
    const auto whole = update_groups(constraints, sites);
    std::vector<Tag> first(n, no_tag);  // of each group
    std::vector<std::uint8_t> is_wide(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const auto g = at(whole[i]);
        if (first[g] == no_tag) first[g] = static_cast<Tag>(i);
        if (roots.is_far[i] != 0 || !near(roots.root[i], roots.root[at(first[g])])) is_wide[g] = 1;
    }
    std::vector<Tag> links;
    for (std::size_t i = 0; i < n; ++i)
        if (is_wide[at(whole[i])] == 0) link(links, first[at(whole[i])], static_cast<Tag>(i));
    for (const auto& site : plan)
        if (roots.is_far[at(site.tag)] == 0) link(links, site.tag, site.parents[0]);
    const auto& waters = constraints.settle.particles;
    for (std::size_t k = 0; k + 2 < waters.size(); k += 3)
        link(links, waters[k], waters[k + 1]), link(links, waters[k], waters[k + 2]);
    const auto& bonds = constraints.constraint.particles;
    const auto bound = components(n, bonds);
    const auto size = sizes(bound);
    for (std::size_t k = 0; k + 1 < bonds.size(); k += 2)
        if (size[at(bound[at(bonds[k])])] <= smallest) link(links, bonds[k], bonds[k + 1]);
    const auto group = components(n, links);
    std::vector<Tag> first_of_group, out(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (at(group[i]) == first_of_group.size()) first_of_group.push_back(static_cast<Tag>(i));
        out[i] = first_of_group[at(group[i])];
    }
    return out;
}

DividedConstraints divide_constraints(const ConstraintSpec& spec,
                                      const std::vector<Tag>& group_of_tag) {
    auto of_bonds = spec;
    of_bonds.settle = {};
    const auto all = without_fixed(of_bonds).constraint;
    const auto bound = components(spec.mass.size(), all.particles);
    const auto molecule = [&](Tag tag) { return at(bound[at(tag)]); };
    std::vector<std::uint8_t> divided(bound.size(), 0);
    for (std::size_t k = 0; k + 1 < all.particles.size(); k += 2) {
        const auto a = all.particles[k], b = all.particles[k + 1];
        if (group_of_tag[at(a)] != group_of_tag[at(b)]) divided[molecule(a)] = 1;
    }
    DividedConstraints out;
    out.small.parameters = out.large.parameters = all.parameters;
    for (std::size_t k = 0; k < all.row.size(); ++k) {
        const auto a = all.particles[2 * k], b = all.particles[2 * k + 1];
        auto& to = divided[molecule(a)] != 0 ? out.large : out.small;
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
