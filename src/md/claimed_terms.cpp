// SPDX-License-Identifier: Apache-2.0
#include "md/claimed_terms.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace aureole::md {

namespace {

/// One term, in a parcel.
struct Number {
    std::int64_t list, term;
    auto operator<=>(const Number&) const = default;
};

/// Which lists have terms that no rank took.
std::vector<bool> incomplete(Domain& domain, const BondedTerms& terms,
                             const std::vector<std::vector<std::int64_t>>& taken) {
    std::vector<bool> which;
    for (std::size_t k = 0; k < taken.size(); ++k) {
        const auto mine = static_cast<std::int64_t>(taken[k].size());
        const auto all = domain.combine(mine, [](auto a, auto b) { return a + b; });
        which.push_back(all != terms.lists()[k].n);
    }
    return which;
}

/// Taken terms of these lists to the owners of their first members; returns those that came here.
std::vector<Number> tell_owners(Domain& domain, const BondedTerms& terms, const TermsHere& here,
                                const std::vector<std::vector<std::int64_t>>& taken,
                                const std::vector<bool>& which) {
    std::vector<std::vector<Number>> to(static_cast<std::size_t>(domain.world().size()));
    std::vector<int> owner_of_zone;
    for (const Zone& zone : domain.zones()) owner_of_zone.push_back(domain.owner_of(zone));
    const auto index = here.indices();
    for (std::size_t k = 0; k < taken.size(); ++k) {
        if (!which[k]) continue;
        const auto& list = terms.lists()[k];
        for (const auto term : taken[k]) {
            const auto first =
                index(list.spec.particles[static_cast<std::size_t>(term * list.kind->particles)]);
            std::size_t z = 0;
            while (first >= domain.zones()[z].end) ++z;
            to[static_cast<std::size_t>(owner_of_zone[z])].push_back(
                {static_cast<std::int64_t>(k), term});
        }
    }
    std::vector<comm::Parcel> out;
    for (std::size_t r = 0; r < to.size(); ++r) {
        const auto bytes = std::as_bytes(std::span(to[r]));
        if (!to[r].empty()) out.push_back({static_cast<int>(r), {bytes.begin(), bytes.end()}});
    }
    std::vector<Number> told;
    for (const auto& parcel : domain.world().exchange(out)) {
        const auto before = told.size();
        told.resize(before + parcel.bytes.size() / sizeof(Number));
        std::memcpy(told.data() + before, parcel.bytes.data(), parcel.bytes.size());
    }
    std::ranges::sort(told);
    return told;
}

}  // namespace

ClaimedTerms claim_terms(Domain& domain, const BondedTerms& terms,
                         const std::vector<TermsByTag>& by_tag, const TermsHere& here,
                         const std::vector<std::vector<std::int64_t>>& taken) {
    domain.world().enter(comm::Phase::renewal);
    const auto which = incomplete(domain, terms, taken);
    const auto told = tell_owners(domain, terms, here, taken, which);
    ClaimedTerms claimed;
    claimed.bonded.resize(taken.size());
    const auto index = here.indices();
    for (std::size_t k = 0; k < taken.size(); ++k) {
        if (!which[k]) continue;
        const auto& list = terms.lists()[k];
        const auto each = static_cast<std::size_t>(list.kind->particles);
        for (std::int64_t i = 0; i < here.owned(); ++i)
            for (const auto term : by_tag[k].of(here.tags()[static_cast<std::size_t>(i)])) {
                if (std::ranges::binary_search(told, Number{static_cast<std::int64_t>(k), term}))
                    continue;
                claimed.bonded[k].push_back(term);
                const Tag* const of =
                    list.spec.particles.data() + static_cast<std::size_t>(term) * each;
                for (std::size_t p = 0; p < each; ++p)
                    if (index(of[p]) == no_index) claimed.absent.push_back(of[p]);
            }
    }
    std::ranges::sort(claimed.absent);
    const auto [first, last] = std::ranges::unique(claimed.absent);
    claimed.absent.erase(first, last);
    return claimed;
}

}  // namespace aureole::md
