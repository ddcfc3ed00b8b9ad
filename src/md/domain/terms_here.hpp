// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "md/bonded/bonded_terms.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"
#include "md/neighbor/zone_rule.hpp"
#include "md/particles/tag_map.hpp"

namespace aureole::md {

/// Terms by the tag of their first member, so that those of some particles are found without
/// looking at all terms.
class TermsByTag {
  public:
    TermsByTag() = default;
    /// `particles` [n][each] of the terms, of tags below `end`.
    TermsByTag(std::span<const Tag> particles, std::size_t each, Tag end);

    /// Numbers of the terms that begin with a tag, ascending.
    std::span<const std::int64_t> of(Tag tag) const {
        if (start_.empty()) return {};
        const auto t = static_cast<std::size_t>(tag);
        const auto begin = static_cast<std::size_t>(start_[t]);
        return {term_.data() + begin, static_cast<std::size_t>(start_[t + 1]) - begin};
    }

  private:
    std::vector<std::int64_t> start_;  ///< [end + 1]
    std::vector<std::int64_t> term_;
};

/// The part of a system's terms that this rank computes: bonded terms of particles and ghosts that
/// fall to it by the zones' rule; constraints, virtual sites and rigid groups of its own particles,
/// which one rank owns together.
class TermsHere {
  public:
    /// `tags` of the particles, of which the first `owned` are the rank's own, then ghosts.
    TermsHere(std::vector<Tag> tags, std::int64_t owned, TagMapOnHost map, ZoneRule rule);

    std::int64_t owned() const { return owned_; }
    std::span<const Tag> tags() const { return tags_; }
    /// Local indices of owned particles and ghosts.
    IndexOfTag indices() const { return map_.indices(); }
    const ZoneRule& rule() const { return rule_; }
    /// Numbers of the bonded terms of a list that are computed here.
    std::vector<std::int64_t> of(const BondedTerms::List& list, const TermsByTag& by_tag) const;
    /// Whether this rank owns all members of a term. Throws core::Error, naming the term, if it
    /// owns only some of them.
    bool owns(const std::string& term, std::span<const Tag> members) const;
    /// The terms, of `each` members, that this rank owns.
    TermColumns owned_of(const TermColumns& all, std::size_t each, const TermsByTag& by_tag,
                         const std::string& term) const;

  private:
    std::vector<Tag> tags_;
    std::int64_t owned_;
    TagMapOnHost map_;
    ZoneRule rule_;
};

}  // namespace aureole::md
