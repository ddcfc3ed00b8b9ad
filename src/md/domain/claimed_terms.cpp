// SPDX-License-Identifier: Apache-2.0
#include "md/domain/claimed_terms.hpp"

#include <algorithm>
#include <span>

namespace aureole::md {

namespace {

/// One term, in a parcel.
struct Number {
    std::int64_t list, term;
    auto operator<=>(const Number&) const = default;
};

/// Sorts values in ascending order and drops repeated ones.
template <class T>
void sort_once(std::vector<T>& all) {
    std::ranges::sort(all);
    const auto [first, last] = std::ranges::unique(all);
    all.erase(first, last);
}

/// Sends each rank its part of `to`; returns what came here, ascending.
template <class T>
std::vector<T> tell(Domain& domain, const std::vector<std::vector<T>>& to) {
    std::vector<comm::Parcel> out;
    for (std::size_t r = 0; r < to.size(); ++r) {
        if (!to[r].empty()) out.push_back({static_cast<int>(r), comm::bytes_of(to[r])});
    }
    std::vector<T> told;
    for (const auto& parcel : domain.world().exchange(out)) {
        const auto more = comm::ParcelReader(parcel).rest<T>();
        told.insert(told.end(), more.begin(), more.end());
    }
    std::ranges::sort(told);
    return told;
}

/// The owner of each particle and ghost.
class Owners {
  public:
    explicit Owners(const Domain& domain) : zones_(domain.zones()) {
        for (const Zone& zone : zones_) of_zone_.push_back(domain.owner_of(zone));
    }
    std::size_t operator()(std::int64_t i) const {
        std::size_t z = 0;
        while (i >= zones_[z].end) ++z;
        return static_cast<std::size_t>(of_zone_[z]);
    }

  private:
    std::span<const Zone> zones_;
    std::vector<int> of_zone_;
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

/// Tells which terms of these lists are taken to the owners of the terms' first members; returns
/// the terms that came here.
std::vector<Number> tell_owners(Domain& domain, const BondedTerms& terms, const TermsHere& here,
                                const std::vector<std::vector<std::int64_t>>& taken,
                                const std::vector<bool>& which) {
    std::vector<std::vector<Number>> to(static_cast<std::size_t>(domain.world().size()));
    const Owners owner(domain);
    const auto index = here.indices();
    for (std::size_t k = 0; k < taken.size(); ++k) {
        if (!which[k]) continue;
        const auto& list = terms.lists()[k];
        for (const auto term : taken[k]) {
            const auto first =
                index(list.spec.particles[static_cast<std::size_t>(term * list.kind->particles)]);
            to[owner(first)].push_back({static_cast<std::int64_t>(k), term});
        }
    }
    return tell(domain, to);
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
    sort_once(claimed.absent);
    return claimed;
}

std::vector<std::array<Tag, 2>> claim_exclusions(Domain& domain, const Exclusions& exclusions,
                                                 const TermsHere& here, std::vector<Tag>& absent) {
    using Pair = std::array<Tag, 2>;
    domain.world().enter(comm::Phase::renewal);
    std::vector<std::vector<Pair>> to(static_cast<std::size_t>(domain.world().size()));
    const Owners owner(domain);
    const auto index = here.indices();
    const auto for_each_partner = [&](std::int64_t i, auto&& f) {
        const auto tag = here.tags()[static_cast<std::size_t>(i)];
        const auto at = exclusions.start.begin() + tag;
        for (auto k = at[0]; k < at[1]; ++k)
            if (const auto other = exclusions.partner[static_cast<std::size_t>(k)]; other > tag)
                f(Pair{tag, other});
    };
    for (std::int64_t i = 0; i < std::ssize(here.tags()); ++i)
        for_each_partner(i, [&](const Pair& pair) {
            const auto a = static_cast<std::int32_t>(i), b = index(pair[1]);
            if (b != no_index && here.rule().here(std::array{std::min(a, b), std::max(a, b)}))
                to[owner(i)].push_back(pair);
        });
    const auto told = tell(domain, to);
    std::vector<Pair> claimed;
    for (std::int64_t i = 0; i < here.owned(); ++i)
        for_each_partner(i, [&](const Pair& pair) {
            if (std::ranges::binary_search(told, pair)) return;
            claimed.push_back(pair);
            if (index(pair[1]) == no_index) absent.push_back(pair[1]);
        });
    sort_once(absent);
    return claimed;
}

}  // namespace aureole::md
