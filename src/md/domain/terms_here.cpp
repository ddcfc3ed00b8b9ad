// SPDX-License-Identifier: Apache-2.0
#include "md/domain/terms_here.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace aureole::md {

namespace {

std::string listed(std::span<const Tag> tags) {
    std::string out = tags.size() == 1 ? "particle " : "particles ";
    for (std::size_t k = 0; k < tags.size(); ++k)
        out += (k == 0 ? "" : k + 1 == tags.size() ? " and " : ", ") + std::to_string(tags[k]);
    return out;
}

}  // namespace

TermsByTag::TermsByTag(std::span<const Tag> particles, std::size_t each, Tag end) {
    if (particles.empty()) return;
    start_.assign(static_cast<std::size_t>(end) + 2, 0);  // shifted by one until terms are in place
    for (std::size_t k = 0; k < particles.size(); k += each)
        ++start_[static_cast<std::size_t>(particles[k]) + 2];
    for (std::size_t t = 1; t < start_.size(); ++t) start_[t] += start_[t - 1];
    term_.resize(particles.size() / each);
    for (std::size_t k = 0; k < term_.size(); ++k) {
        auto& next = start_[static_cast<std::size_t>(particles[k * each]) + 1];
        term_[static_cast<std::size_t>(next++)] = static_cast<std::int64_t>(k);
    }
    start_.pop_back();
}

TermsHere::TermsHere(std::vector<Tag> tags, std::int64_t owned, TagMapOnHost map, ZoneRule rule)
    : tags_(std::move(tags)), owned_(owned), map_(std::move(map)), rule_(std::move(rule)) {}

std::vector<std::int64_t> TermsHere::of(const BondedTerms::List& list,
                                        const TermsByTag& by_tag) const {
    const auto each = static_cast<std::size_t>(list.kind->particles);
    std::vector<std::int64_t> found;
    std::vector<std::int32_t> members(each);
    const auto index = map_.indices();
    for (const auto tag : tags_)
        for (const auto term : by_tag.of(tag)) {
            const Tag* const of =
                list.spec.particles.data() + static_cast<std::size_t>(term) * each;
            for (std::size_t p = 0; p < each; ++p) members[p] = index(of[p]);
            if (std::ranges::find(members, no_index) == members.end() && rule_.here(members))
                found.push_back(term);
        }
    return found;
}

bool TermsHere::owns(const std::string& term, std::span<const Tag> members) const {
    const auto is_owned = [index = map_.indices(), this](Tag tag) {
        const auto i = index(tag);
        return i != no_index && i < owned_;
    };
    std::vector<Tag> absent;
    std::ranges::copy_if(members, std::back_inserter(absent),
                         [&](Tag tag) { return !is_owned(tag); });
    if (!absent.empty() && absent.size() < members.size())
        throw core::Error("the " + term + " of " + listed(members) + " cannot be computed",
                          listed(absent) + (absent.size() == 1 ? " is" : " are") +
                              " not among the particles of this rank",
                          "Keep the particles of a term together.");
    return absent.empty();
}

TermColumns TermsHere::owned_of(const TermColumns& all, std::size_t each, const TermsByTag& by_tag,
                                const std::string& term) const {
    TermColumns some{{}, {}, all.parameters};
    for (std::int64_t i = 0; i < owned_; ++i)
        for (const auto k : by_tag.of(tags_[static_cast<std::size_t>(i)])) {
            const auto at = static_cast<std::size_t>(k);
            const std::span members(all.particles.data() + at * each, each);
            if (!owns(term, members)) continue;
            some.particles.insert(some.particles.end(), members.begin(), members.end());
            some.row.push_back(all.row[at]);
        }
    return some;
}

}  // namespace aureole::md
