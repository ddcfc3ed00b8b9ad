// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "md/integrate/constraints/terms.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"

namespace aureole::md {

/// Particles that should have one owner: a rigid water, a heavy atom with its hydrogens, a virtual
/// site with its parents. Returns the group of each tag, numbered in the order of lowest tags.
///
/// Particles joined by constraints and sites are one group, up to `most` particles. In larger
/// molecules (all bonds of a protein, or sites made from its backbone) only ends of bonds go with a
/// heavier partner, sites with their first parent, and up to `most` particles that constraints
/// alone join.
std::vector<std::int64_t> update_groups(const ConstraintSpec& constraints, const SiteSpec& sites,
                                        int most = 12);

/// Whether two particles are so close that one rank may own both wherever they are.
using NearEachOther = std::function<bool(Tag, Tag)>;

/// Groups with one owner: update groups whose particles are near each other. Of others remain
/// rigid waters, the smallest groups of constraints, and sites that are near their first parent, as
/// their parents tell. Returns the first tag of each tag's group.
std::vector<Tag> owner_groups(const ConstraintSpec& constraints, const SiteSpec& sites,
                              const NearEachOther& near);

/// Constraints between two particles, without those of two fixed ones: of molecules that these join
/// within one group, and of others. `group_of_tag`: numbers that are the same within a group.
struct DividedConstraints {
    TermColumns small, large;
};
DividedConstraints divide_constraints(const ConstraintSpec& spec,
                                      const std::vector<Tag>& group_of_tag);

/// Sites that are in one group with all that they are made from, and others; a site that another is
/// made from goes with that.
struct DividedSites {
    SiteSpec small, large;
    bool any_large = false;
};
DividedSites divide_sites(const SiteSpec& spec, const std::vector<Tag>& group_of_tag);

}  // namespace aureole::md
