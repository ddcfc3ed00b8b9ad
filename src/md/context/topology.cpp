// SPDX-License-Identifier: Apache-2.0
#include "md/context/topology.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "device/launch.hpp"
#include "md/domain/claimed_terms.hpp"
#include "md/integrate/constraints/groups.hpp"
#include "md/integrate/update_groups.hpp"

namespace aureole::md {

namespace {

std::int64_t all_bonded_terms(const System& system) {
    std::int64_t all = 0;
    for (const auto& list : system.bonded.lists()) all += list.n;
    return all;
}

}  // namespace

template <class T>
Topology<T>::Topology(device::Queue& queue, const System& system, Constraints::Path path)
    : bonded(queue, system.bonded),
      exclusions(queue, system.exclusions),
      queue_(queue),
      system_(system),
      path_(path) {
    bind(system.constraints, system.sites);
    find_groups();
    put_rigid_groups(nullptr);
}

template <class T>
void Topology<T>::bind(const ConstraintSpec& of_constraints, const SiteSpec& of_sites) {
    if (!system_.constraints.empty())
        constraints.emplace(queue_, without_fixed(of_constraints), path_,
                            spanning_ ? &*spanning_ : nullptr);
    if (system_.sites.n > 0)
        sites.emplace(queue_, of_sites, spanning_sites_ ? &*spanning_sites_ : nullptr);
}

template <class T>
void Topology<T>::take_all() {
    bonded.choose_all(system_.bonded);
    bind(system_.constraints, system_.sites);
    put_rigid_groups(nullptr);
}

template <class T>
void Topology<T>::make_index() {
    if (index_) return;
    const Tag end = system_.n_total();
    index_.emplace();
    for (const auto& list : system_.bonded.lists())
        index_->bonded.emplace_back(list.spec.particles,
                                    static_cast<std::size_t>(list.kind->particles), end);
    index_->settle = TermsByTag(system_.constraints.settle.particles, 3, end);
    divide_constraints();
    divide_sites();
    find_spanning_groups();
    index_->constraint = TermsByTag(index_->small.particles, 2, end);
    for (std::size_t k = 0; k < site_kinds.size(); ++k) {
        const auto& terms = index_->small_sites.*site_kinds[k];
        if (!terms.row.empty())
            index_->sites[k] =
                TermsByTag(terms.particles, terms.particles.size() / terms.row.size(), end);
    }
}

/// Among ranks.
template <class T>
void Topology<T>::divide_sites() {
    const auto& all = system_.sites;
    if (all.n == 0 || system_.domain == nullptr) {
        index_->small_sites = all;
        return;
    }
    auto divided = md::divide_sites(all, system_.domain->first_of_tag());
    index_->small_sites = std::move(divided.small);
    if (divided.any_large)
        spanning_sites_.emplace(queue_, system_.domain->world(), std::move(divided.large));
}

template <class T>
void Topology<T>::divide_constraints() {
    const auto& all = system_.constraints;
    if (all.empty() || system_.domain == nullptr) {
        index_->small = all.constraint;
        return;
    }
    auto divided = md::divide_constraints(all, system_.domain->first_of_tag());
    index_->small = std::move(divided.small);
    if (divided.large.row.empty()) return;
    auto spec = all;
    spec.settle = {}, spec.constraint = std::move(divided.large);
    spanning_.emplace(queue_, system_.domain->world(), std::move(spec));
}

template <class T>
void Topology<T>::take_owned(const TermsHere& here) {
    const auto tags = here.tags().first(static_cast<std::size_t>(here.owned()));
    const auto owned = [index = here.indices(), n = here.owned()](Tag tag) {
        const auto i = index(tag);
        return i < n ? i : no_index;
    };
    const auto& all = system_.constraints;
    ConstraintSpec of_constraints{here.owned_of(all.settle, 3, index_->settle, "settle"),
                                  here.owned_of(index_->small, 2, index_->constraint, "constraint"),
                                  all.mass,
                                  all.order,
                                  all.iterations,
                                  all.tolerance};
    taken_.bound = of_constraints.settle.size() + of_constraints.constraint.size();
    if (spanning_) {
        spanning_->localise(tags, owned);
        taken_.bound += spanning_->counted();
    }
    if (spanning_sites_) {
        spanning_sites_->localise(tags, owned);
        taken_.bound += spanning_sites_->counted();
    }
    SiteSpec of_sites;
    of_sites.n = system_.sites.n;
    for (std::size_t k = 0; k < site_kinds.size(); ++k) {
        const auto& terms = index_->small_sites.*site_kinds[k];
        if (terms.row.empty()) continue;
        auto& mine = of_sites.*site_kinds[k];
        mine = here.owned_of(terms, terms.particles.size() / terms.row.size(), index_->sites[k],
                             "virtual site");
        taken_.bound += mine.size();
    }
    bind(of_constraints, of_sites);
}

template <class T>
void Topology<T>::take(const TermsHere& here) {
    taken_ = {};
    for (std::size_t k = 0; k < system_.bonded.lists().size(); ++k)
        taken_.bonded.push_back(here.of(system_.bonded.lists()[k], index_->bonded[k]));
    bonded.choose(system_.bonded, taken_.bonded);
    take_owned(here);
    put_rigid_groups(&here);
}

/// Without a barostat there are none.
template <class T>
void Topology<T>::find_groups() {
    const auto& s = system_;
    if (s.coupling.barostat.kind == Barostat::none) return;
    const auto n = static_cast<std::size_t>(s.n_total());
    group_of_tag_.resize(n);
    if (constraints || sites) {
        auto of_sites = s.sites;
        of_sites.n = s.n_total();
        auto of_constraints = s.constraints;
        of_constraints.mass.resize(n, 1.0);
        group_of_tag_ = update_groups(of_constraints, of_sites, std::numeric_limits<int>::max());
    } else {
        std::iota(group_of_tag_.begin(), group_of_tag_.end(), std::int64_t(0));
    }
    std::vector<std::int64_t> start(2, 0);  // counts, shifted by two until the tags are in place
    for (const auto g : group_of_tag_) {
        if (start.size() < static_cast<std::size_t>(g) + 3)
            start.resize(static_cast<std::size_t>(g) + 3);
        ++start[static_cast<std::size_t>(g) + 2];
    }
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    all_group_tags_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        auto& next = start[static_cast<std::size_t>(group_of_tag_[i]) + 1];
        all_group_tags_[static_cast<std::size_t>(next++)] = static_cast<Tag>(i);
    }
    start.pop_back();
    all_group_start_ = std::move(start);
}

/// Finds the rigid groups that do not have one owner.
template <class T>
void Topology<T>::find_spanning_groups() {
    if (system_.domain == nullptr || group_of_tag_.empty()) return;
    const auto& first = system_.domain->first_of_tag();
    if (first.empty()) return;
    std::vector<std::int32_t> number(first.size(), -1);
    std::int32_t found = 0;
    for (std::size_t g = 0; g + 1 < all_group_start_.size(); ++g) {
        const std::span members(all_group_tags_.data() + all_group_start_[g],
                                all_group_tags_.data() + all_group_start_[g + 1]);
        const auto owner = [&](Tag tag) { return first[static_cast<std::size_t>(tag)]; };
        if (std::ranges::all_of(members, [&](Tag tag) { return owner(tag) == owner(members[0]); }))
            continue;
        for (const auto tag : members) number[static_cast<std::size_t>(tag)] = found;
        ++found;
    }
    if (found > 0) spanning_groups_.emplace(system_.domain->world(), std::move(number));
}

/// All rigid groups, or those that this rank owns.
template <class T>
void Topology<T>::put_rigid_groups(const TermsHere* here) {
    if (group_of_tag_.empty()) return;
    if (here == nullptr) {
        group_start_ = to_device(queue_, all_group_start_);
        group_tag_ = to_device(queue_, all_group_tags_);
    } else {
        if (spanning_groups_)
            spanning_groups_->localise(here->tags().first(static_cast<std::size_t>(here->owned())));
        std::vector<std::int64_t> start{0};
        std::vector<Tag> tags;
        for (std::int64_t i = 0; i < here->owned(); ++i) {
            const auto tag = static_cast<std::size_t>(here->tags()[static_cast<std::size_t>(i)]);
            const auto g = static_cast<std::size_t>(group_of_tag_[tag]);
            const std::span members(all_group_tags_.data() + all_group_start_[g],
                                    all_group_tags_.data() + all_group_start_[g + 1]);
            if (static_cast<std::size_t>(members.front()) != tag) continue;
            if (spanning_groups_ && spanning_groups_->has(members.front())) continue;
            here->owns("rigid group", members);
            tags.insert(tags.end(), members.begin(), members.end());
            start.push_back(static_cast<std::int64_t>(tags.size()));
        }
        group_start_ = to_device(queue_, start), group_tag_ = to_device(queue_, tags);
    }
    group_index_ = device::Buffer<std::int32_t>(queue_, group_tag_.size());
}

template <class T>
bool Topology<T>::empty() const {
    return bonded.empty() && exclusions.empty() && !constraints && !sites && group_of_tag_.empty();
}

template <class T>
bool Topology<T>::localise() {
    if (empty()) return true;
    const auto& p = system_.particles;
    if (system_.domain == nullptr) return localise(p.tag.view(), p.n), true;
    const auto* const domain = system_.domain;
    localise(p.tag.all(), domain->n_total(), p.n,
             {system_.box, domain->grid().n, domain->zones(), download(queue_, p.position.all())});
    check_bound();
    return taken_terms() == all_bonded_terms(system_);
}

template <class T>
std::vector<Tag> Topology<T>::claim_terms(bool exclusions_too) {
    const auto& p = system_.particles;
    const TermsHere here(download(queue_, p.tag.all()), p.n, tags_.on_host(queue_), rule_);
    auto claimed =
        md::claim_terms(*system_.domain, system_.bonded, index_->bonded, here, taken_.bonded);
    for (std::size_t k = 0; k < taken_.bonded.size(); ++k)
        taken_.bonded[k].insert(taken_.bonded[k].end(), claimed.bonded[k].begin(),
                                claimed.bonded[k].end());
    if (taken_terms() != all_bonded_terms(system_))
        throw core::Error("some bonded terms are computed by several ranks or by none",
                          "the ranks disagree on their owner", "Please report this.");
    claimed_exclusions_.clear();
    if (exclusions_too)
        claimed_exclusions_ =
            claim_exclusions(*system_.domain, system_.exclusions, here, claimed.absent);
    return std::move(claimed.absent);
}

template <class T>
void Topology<T>::localise_claimed() {
    const auto& tag = system_.particles.tag;
    tags_.make(queue_, tag.all(), system_.n_total());
    bonded.choose(system_.bonded, taken_.bonded);
    bonded.localise(tags_, path_ != Constraints::Path::lanes);
    exclusions.localise(queue_, tag.all(), tags_.indices());
    const auto map = tags_.on_host(queue_);
    std::vector<std::array<std::int32_t, 2>> pairs;
    for (const auto& [a, b] : claimed_exclusions_)
        pairs.push_back({map.indices()(a), map.indices()(b)});
    rule_.claim_pairs(std::move(pairs));
}

/// Constraints and sites bind particles that one rank owns together.
template <class T>
void Topology<T>::localise_owned() {
    if (!constraints && !sites) return;
    const auto& tag = system_.particles.tag;
    tags_.make(queue_, tag.view(), system_.n_total());
    if (system_.domain != nullptr) {
        make_index();
        take_owned({download(queue_, tag), tag.size(), tags_.on_host(queue_), {}});
        some_elsewhere_ = true;
    }
    find_bound();
}

template <class T>
void Topology<T>::find_bound() {
    if (constraints) constraints->localise(queue_, tags_);
    if (sites) sites->localise(queue_, tags_);
}

template <class T>
void Topology<T>::localise(device::Input<Tag> tag, Tag end, std::int64_t owned,
                           const ZoneRule& rule) {
    rule_ = rule;
    tags_.make(queue_, tag, end);
    const bool were_elsewhere = some_elsewhere_;
    some_elsewhere_ = system_.domain != nullptr || !tags_.complete();
    if (some_elsewhere_) {
        make_index();
        take({download(queue_, device::View<const Tag>(tag)), owned, tags_.on_host(queue_), rule});
    } else if (were_elsewhere) {
        take_all();
    }
    bonded.localise(tags_, path_ != Constraints::Path::lanes);
    exclusions.localise(queue_, tag, tags_.indices());
    find_bound();
    device::parallel_for(queue_, "localise rigid groups", group_tag_.size(),
                         FindIndices{group_tag_.data(), tags_.indices(), group_index_.data()});
}

/// Bonded terms that ranks compute.
template <class T>
std::int64_t Topology<T>::taken_terms() const {
    std::int64_t mine = 0;
    for (const auto& list : taken_.bonded) mine += static_cast<std::int64_t>(list.size());
    return system_.combine(mine);
}

template <class T>
void Topology<T>::check_bound() const {
    std::int64_t all = system_.constraints.settle.size() + index_->small.size();
    if (spanning_) all += spanning_->size();
    for (const auto kind : site_kinds) all += (index_->small_sites.*kind).size();
    if (spanning_sites_) all += spanning_sites_->size();
    if (system_.combine(taken_.bound) != all)
        throw core::Error("no rank handles some constraints or virtual sites",
                          "their particles have no common owner", "Please report this.");
}

template class Topology<float>;
template class Topology<double>;

}  // namespace aureole::md
