// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "md/integrate/constraints/constraint_graph.hpp"
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

/// For packs of a processor with so many threads.
RegionSize size_of_regions(std::int64_t constraints, std::int64_t threads);

/// Divides coupled constraints into regions: small molecules
/// together, large ones cut along the order of their tags.
RegionPlan plan_regions(const std::vector<std::vector<Bond>>& coupled, const ConstraintSpec& spec,
                        RegionSize size);

/// Molecules of coupled constraints whose atoms belong to several ranks. Each corrects its own, in
/// regions that have the constraints around them as well.
class DividedRegions {
  public:
    /// All constraints that are divided. Throws core::InputError for those that cannot be
    /// satisfied.
    explicit DividedRegions(ConstraintSpec spec);

    const ConstraintSpec& spec() const { return spec_; }
    bool has(Tag tag) const { return molecule_of_[static_cast<std::size_t>(tag)] >= 0; }
    /// Regions of the atoms that a rank owns, each of which has() some constraint.
    RegionPlan plan(std::vector<Tag> owned, RegionSize size) const;

  private:
    struct Molecule {
        explicit Molecule(std::vector<Bond> of) : bonds(std::move(of)), graph(bonds) {}
        std::vector<Bond> bonds;
        ConstraintGraph graph;
        int order = 0;
    };

    ConstraintSpec spec_;
    std::vector<std::unique_ptr<Molecule>> molecules_;
    std::vector<std::int32_t> molecule_of_;  ///< each tag's, or -1
};

}  // namespace aureole::md
