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

namespace aureole::md {

/// Everything that refers to particles by tag, with local indices: bonded terms, exclusions,
/// constraints, virtual sites, and the rigid groups of barostats. They are found in one map of
/// tags, once per sort.
template <class T>
class Topology {
  public:
    /// `path`: that of the constraints' kernels.
    Topology(device::Queue& queue, const System& system, Constraints::Path path);

    /// To be called after every sort.
    void localise();

    BondedForces<T> bonded;
    LocalExclusions exclusions;
    std::optional<Constraints> constraints;
    std::optional<VirtualSites> sites;

    const TagMap& tags() const { return tags_; }
    /// Particles that keep their distances as the box changes. Without a barostat there are none.
    RigidGroups rigid_groups() const { return {group_start_.data(), group_index_.data()}; }
    std::int64_t rigid_group_count() const {
        return group_start_.size() > 0 ? group_start_.size() - 1 : 0;
    }

  private:
    void make_rigid_groups();
    bool empty() const;

    device::Queue& queue_;
    const System& system_;
    TagMap tags_;
    device::Buffer<std::int64_t> group_start_;
    device::Buffer<std::int32_t> group_tag_, group_index_;
};

}  // namespace aureole::md
