// SPDX-License-Identifier: Apache-2.0
#include "md/tags_here.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"
#include "md/keep_rows.hpp"

namespace aureole::md {

namespace {

std::string listed(std::span<const Tag> tags) {
    std::string out = tags.size() == 1 ? "particle " : "particles ";
    for (std::size_t k = 0; k < tags.size(); ++k)
        out += (k == 0 ? "" : k + 1 == tags.size() ? " and " : ", ") + std::to_string(tags[k]);
    return out;
}

}  // namespace

TagsHere::TagsHere(std::vector<Tag> tags) : tags_(std::move(tags)) { std::ranges::sort(tags_); }

bool TagsHere::contains(Tag tag) const { return std::ranges::binary_search(tags_, tag); }

bool TagsHere::contains(const std::string& term, std::span<const Tag> members) const {
    std::vector<Tag> absent;
    std::ranges::copy_if(members, std::back_inserter(absent),
                         [this](Tag tag) { return !contains(tag); });
    if (!absent.empty() && absent.size() < members.size())
        throw core::Error("the " + term + " of " + listed(members) + " cannot be computed",
                          listed(absent) + (absent.size() == 1 ? " is" : " are") +
                              " not among the local particles",
                          "Keep the particles of a term together.");
    return absent.empty();
}

BondedTerms TagsHere::of(const BondedTerms& all) const {
    return all.those([this](const std::string& name, std::span<const Tag> members) {
        return contains(name, members);
    });
}

ConstraintSpec TagsHere::of(ConstraintSpec all) const {
    const auto keep = [this](TermColumns& terms, std::size_t each, const char* name) {
        keep_rows(terms.particles, terms.row, each,
                  [&](std::span<const Tag> members) { return contains(name, members); });
    };
    keep(all.settle, 3, "settle"), keep(all.constraint, 2, "constraint");
    return all;
}

SiteSpec TagsHere::of(SiteSpec all) const {
    for (const auto kind : site_kinds) {
        auto& terms = all.*kind;
        if (terms.row.empty()) continue;
        keep_rows(terms.particles, terms.row, terms.particles.size() / terms.row.size(),
                  [&](std::span<const Tag> members) { return contains("virtual site", members); });
    }
    return all;
}

void TagsHere::check(const Exclusions& exclusions) const {
    if (exclusions.empty()) return;
    for (const auto tag : tags_)
        for (auto k = exclusions.start[static_cast<std::size_t>(tag)];
             k < exclusions.start[static_cast<std::size_t>(tag) + 1]; ++k)
            contains("exclusion", std::array{tag, exclusions.partner[static_cast<std::size_t>(k)]});
}

}  // namespace aureole::md
