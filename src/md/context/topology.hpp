// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "md/bonded/bonded_force.hpp"
#include "md/domain/rank_constraints.hpp"
#include "md/domain/rank_sites.hpp"
#include "md/domain/spanning_groups.hpp"
#include "md/domain/terms_here.hpp"
#include "md/integrate/constraints/constraints.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"
#include "md/neighbor/local_exclusions.hpp"
#include "md/particles/tag_map.hpp"
#include "md/system/system.hpp"

namespace aureole::md {

/// Everything that refers to particles by tag, with local indices: bonded terms, exclusions,
/// constraints, virtual sites, and the rigid groups of barostats. They are found in one map of
/// tags, once per sort. What other ranks compute is left out (terms_here.hpp).
template <class T>
class Topology {
  public:
    /// `path`: that of the constraints' kernels.
    Topology(device::Queue& queue, const System& system, Constraints::Path path);

    /// To be called after every sort, when there are ghosts; all ranks call it together. Returns
    /// whether every bonded term falls to a rank that has its particles.
    bool localise();
    /// Lets terms that fall to no such rank fall to the owners of their first particles, and
    /// likewise excluded pairs, if wanted. Returns those of their particles that are not here; all
    /// ranks call it together.
    std::vector<Tag> claim_terms(bool exclusions_too);
    /// Localises the claimed terms, once their particles are here, behind the ghosts.
    void localise_claimed();
    /// Localises constraints and virtual sites alone, before there are ghosts.
    void localise_owned();
    /// Localises particles with these tags, which are below `end`, as localise() does: the first
    /// `owned` ones are this rank's, the others ghosts.
    void localise(device::Input<Tag> tag, Tag end, std::int64_t owned, const ZoneRule& rule);
    void localise(device::Input<Tag> tag, Tag end) { localise(tag, end, tag.size, {}); }
    /// Which rank computes what the particles of the last localise() have in common.
    const ZoneRule& rule() const { return rule_; }

    BondedForces<T> bonded;
    LocalExclusions exclusions;
    std::optional<RankConstraints> constraints;
    std::optional<RankSites> sites;

    /// The local index of each tag, or that it is not here.
    const TagMap& tags() const { return tags_; }
    /// Particles that keep their distances as the box changes, as far as one rank has all of a
    /// group. Without a barostat there are none.
    RigidGroups rigid_groups() const { return {group_start_.data(), group_index_.data()}; }
    std::int64_t rigid_group_count() const {
        return group_start_.size() > 0 ? group_start_.size() - 1 : 0;
    }
    /// The other groups, or null.
    SpanningGroups* spanning_groups() { return spanning_groups_ ? &*spanning_groups_ : nullptr; }

  private:
    /// The system's terms by tags, where ranks share them.
    struct Index {
        std::vector<TermsByTag> bonded;
        TermColumns small;     ///< constraints of molecules that one rank owns
        SiteSpec small_sites;  ///< with parents that their rank owns
        TermsByTag settle, constraint;
        std::array<TermsByTag, site_kinds.size()> sites;
    };
    struct Taken {
        std::vector<std::vector<std::int64_t>> bonded;  ///< numbers of terms of each list
        std::int64_t bound = 0;                         ///< rows of constraints and sites
    };

    void find_groups();
    void make_index();
    void divide_constraints();
    void divide_sites();
    void take_all();
    void take(const TermsHere& here);
    void take_owned(const TermsHere& here);
    void bind(const ConstraintSpec& of_constraints, const SiteSpec& of_sites);
    void put_rigid_groups(const TermsHere* here);
    void find_spanning_groups();
    void find_bound();
    std::int64_t taken_terms() const;
    void check_bound() const;
    bool empty() const;

    device::Queue& queue_;
    const System& system_;
    const Constraints::Path path_;
    TagMap tags_;
    ZoneRule rule_;
    std::optional<Index> index_;  ///< made when it is first needed
    std::optional<SpanningConstraints> spanning_;
    std::optional<SpanningSites> spanning_sites_;
    std::optional<SpanningGroups> spanning_groups_;
    Taken taken_;
    std::vector<std::array<Tag, 2>> claimed_exclusions_;
    bool some_elsewhere_ = false;  ///< at the last localisation
    // Rigid groups by tag: where each begins, their tags, and the group of each tag.
    std::vector<std::int64_t> all_group_start_, group_of_tag_;
    std::vector<Tag> all_group_tags_;
    device::Buffer<std::int64_t> group_start_;
    device::Buffer<Tag> group_tag_;
    device::Buffer<std::int32_t> group_index_;
};

}  // namespace aureole::md
