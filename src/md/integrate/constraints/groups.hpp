// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "md/integrate/constraints/constraint_job.hpp"
#include "md/integrate/constraints/terms.hpp"

namespace aureole::md {

/// A constraint between two tags.
struct Bond {
    Tag a, b;
    std::int32_t row;
};

/// Groups of one shape, by tags.
struct GroupList {
    int atoms = 0, constraints = 0;
    std::vector<Tag> tags;           ///< [groups][atoms]
    std::vector<std::int32_t> rows;  ///< [groups][constraints] whose lengths they have

    std::int64_t size() const {
        return atoms > 0 ? static_cast<std::int64_t>(tags.size()) / atoms : 0;
    }
};

/// Rigid waters of the same lengths and masses.
struct WaterList {
    double d_oh = 0, d_hh = 0, mass_o = 0, mass_h = 0;
    std::vector<Tag> tags;  ///< [waters][3]
};

/// Constraints by how they are solved.
struct ConstraintGroups {
    std::vector<WaterList> waters;
    std::array<GroupList, shape_count> groups;
    std::vector<std::vector<Bond>> coupled;  ///< the other connected components
};

/// Sorts constraints by how they are solved. Throws core::InputError for constraints that cannot be
/// satisfied.
ConstraintGroups sort_constraints(const ConstraintSpec& spec);

/// Remark on constraints that are not kept: that those around a particle form rings with common
/// sides, whose expansion need not converge; otherwise empty.
std::string remark_on_rings(const ConstraintSpec& spec, Tag tag);

/// The constraints that remain where some particles are fixed: none between two fixed ones; those
/// of a rigid water with fixed atoms become constraints of their own.
ConstraintSpec without_fixed(const ConstraintSpec& spec);

/// Number of the connected component of each of n tags, for links [..][2]; numbered in the order of
/// their lowest tags.
std::vector<std::int64_t> components(std::size_t n, const std::vector<Tag>& links);

}  // namespace aureole::md
