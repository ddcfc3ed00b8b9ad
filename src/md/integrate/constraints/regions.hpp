// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/constraints/groups.hpp"

namespace aureole::md {

/// Columns of RegionTables on the host, with tags instead of local indices.
struct RegionPlan {
    std::vector<Region> regions;
    std::vector<Tag> tag;           ///< [atoms]
    std::vector<Tag> tag_a, tag_b;  ///< [constraints]
    std::vector<std::int32_t> a, b, row;
    std::vector<double> scale, weight;
    std::vector<std::int32_t> coupled, bond;
    std::vector<double> coupling, pull;
    bool cut = false;
};

/// Numbers of constraints: small molecules fill a region up to `pack`, molecules with more than
/// `cut` are divided.
struct RegionSize {
    std::int64_t pack, cut;
};

/// Divides coupled constraints into regions: small molecules
/// together, large ones cut along the order of their tags.
RegionPlan plan_regions(const std::vector<std::vector<Bond>>& coupled, const ConstraintSpec& spec,
                        RegionSize size);

}  // namespace aureole::md
