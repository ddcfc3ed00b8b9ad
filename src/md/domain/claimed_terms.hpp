// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "md/domain/domain.hpp"
#include "md/domain/terms_here.hpp"
#include "md/neighbor/exclusions.hpp"

namespace aureole::md {

/// Bonded terms that no rank has all members of, or that no rank sees as nearest images: they fall
/// to the owners of their first members, who ask for members that they do not have.
struct ClaimedTerms {
    std::vector<std::vector<std::int64_t>> bonded;  ///< numbers of terms of each list
    std::vector<Tag> absent;                        ///< members that are not here, each once
};

/// Claimed terms of this rank; `taken`: the terms of each list that fall to it by the zones' rule.
/// All ranks call it together.
ClaimedTerms claim_terms(Domain& domain, const BondedTerms& terms,
                         const std::vector<TermsByTag>& by_tag, const TermsHere& here,
                         const std::vector<std::vector<std::int64_t>>& taken);

/// Excluded pairs that this rank claims as the owner of the lower tag. Adds members that are not
/// here to `absent`. All ranks call it together.
std::vector<std::array<Tag, 2>> claim_exclusions(Domain& domain, const Exclusions& exclusions,
                                                 const TermsHere& here, std::vector<Tag>& absent);

}  // namespace aureole::md
