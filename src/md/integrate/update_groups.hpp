// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/constraints/terms.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"

namespace aureole::md {

inline constexpr int largest_update_group = 12;

/// Particles that should have one owner: a rigid water, a heavy atom with its hydrogens, a virtual
/// site with its parents. Returns the group of each tag, numbered in the order of lowest tags.
///
/// Particles joined by constraints and sites are one group, up to `most` particles. In larger
/// molecules (all bonds of a protein, or sites made from its backbone) only ends of bonds go with a
/// heavier partner, sites with their first parent, and up to `most` particles that constraints
/// alone join.
std::vector<std::int64_t> update_groups(const ConstraintSpec& constraints, const SiteSpec& sites,
                                        int most = largest_update_group);

/// Constraints between two particles, without those of two fixed ones: of molecules where these
/// join no more particles than an update group has, and of larger ones.
struct DividedConstraints {
    TermColumns small, large;
};
DividedConstraints divide_constraints(const ConstraintSpec& spec);

/// Sites that are in one group with all that they are made from, and others; a site that another is
/// made from goes with that. `group_of_tag`: numbers that are the same within a group.
struct DividedSites {
    SiteSpec small, large;
    bool any_large = false;
};
DividedSites divide_sites(const SiteSpec& spec, const std::vector<Tag>& group_of_tag);

}  // namespace aureole::md
