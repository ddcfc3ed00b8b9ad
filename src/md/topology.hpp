// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "md/bonded/bonded_force.hpp"
#include "md/engine.hpp"
#include "md/integrate/constraints/constraints.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"
#include "md/neighbor/local_exclusions.hpp"
#include "md/tag_map.hpp"
#include "md/tags_here.hpp"

namespace aureole::md {

/// Everything that refers to particles by tag, with local indices: bonded terms, exclusions,
/// constraints, virtual sites, and the rigid groups of barostats. They are found in one map of
/// tags, once per sort. What refers to particles that are elsewhere is left out (tags_here.hpp).
template <class T>
class Topology {
  public:
    /// `path`: that of the constraints' kernels.
    Topology(device::Queue& queue, const System& system, Constraints::Path path);

    /// To be called after every sort.
    void localise();
    /// The same for particles with these tags, which are below `end`.
    void localise(device::Input<Tag> tag, Tag end);

    BondedForces<T> bonded;
    LocalExclusions exclusions;
    std::optional<Constraints> constraints;
    std::optional<VirtualSites> sites;

    /// Where each tag is, or that it is not here.
    const TagMap& tags() const { return tags_; }
    /// Particles that keep their distances as the box changes. Without a barostat there are none.
    RigidGroups rigid_groups() const { return {group_start_.data(), group_index_.data()}; }
    std::int64_t rigid_group_count() const {
        return group_start_.size() > 0 ? group_start_.size() - 1 : 0;
    }

  private:
    /// Takes from the system what belongs to the particles that are here; null: all of it.
    void take(const TagsHere* here);
    void bind(const ConstraintSpec& of_constraints, const SiteSpec& of_sites);
    void make_rigid_groups(const TagsHere* here);
    bool empty() const;

    device::Queue& queue_;
    const System& system_;
    const Constraints::Path path_;
    TagMap tags_;
    bool some_absent_ = false;  ///< at the last localisation
    device::Buffer<std::int64_t> group_start_;
    device::Buffer<Tag> group_tag_;
    device::Buffer<std::int32_t> group_index_;
};

}  // namespace aureole::md
