// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/constraints/terms.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"

namespace aureole::md {

/// Particles that should have one owner: a rigid water, a heavy atom with its hydrogens, a virtual
/// site with its parents. Returns the group of each tag, numbered in the order of lowest tags.
///
/// Particles joined by constraints and sites are one group, up to `most` particles. In larger
/// molecules (all bonds of a protein, or sites made from its backbone) only ends of bonds go with a
/// heavier partner, and sites with their first parent.
std::vector<std::int64_t> update_groups(const ConstraintSpec& constraints, const SiteSpec& sites,
                                        int most = 12);

}  // namespace aureole::md
