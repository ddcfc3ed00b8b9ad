// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "md/bonded/bonded_terms.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"
#include "md/neighbor/exclusions.hpp"

namespace aureole::md {

/// The tags of the local particles where others are elsewhere, and what of a system refers to
/// them. Terms of absent particles are left out. Those of particles here and absent ones cannot be
/// computed: core::Error names them.
class TagsHere {
  public:
    explicit TagsHere(std::vector<Tag> tags);

    bool contains(Tag tag) const;
    /// Whether the particles of a term are here.
    bool contains(const std::string& term, std::span<const Tag> members) const;

    BondedTerms of(const BondedTerms& all) const;
    ConstraintSpec of(ConstraintSpec all) const;
    SiteSpec of(SiteSpec all) const;
    void check(const Exclusions& exclusions) const;

  private:
    std::vector<Tag> tags_;  ///< sorted
};

}  // namespace aureole::md
