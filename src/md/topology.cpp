// SPDX-License-Identifier: Apache-2.0
#include "md/topology.hpp"

#include <limits>
#include <numeric>
#include <span>

#include "device/launch.hpp"
#include "md/integrate/constraints/groups.hpp"
#include "md/integrate/update_groups.hpp"

namespace aureole::md {

namespace {

/// Groups with one tag after the other.
struct Groups {
    std::vector<std::int64_t> start{0};  ///< [groups + 1]
    std::vector<Tag> tags;
};

Groups sorted_by_group(const std::vector<std::int64_t>& group_of_tag) {
    Groups out;
    std::vector<std::int64_t> start(2, 0);  // counts, shifted by two until the tags are in place
    for (const auto g : group_of_tag) {
        if (start.size() < static_cast<std::size_t>(g) + 3)
            start.resize(static_cast<std::size_t>(g) + 3);
        ++start[static_cast<std::size_t>(g) + 2];
    }
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    out.tags.resize(group_of_tag.size());
    for (std::size_t i = 0; i < group_of_tag.size(); ++i)
        out.tags[static_cast<std::size_t>(start[static_cast<std::size_t>(group_of_tag[i]) + 1]++)] =
            static_cast<Tag>(i);
    start.pop_back();
    out.start = std::move(start);
    return out;
}

Groups those_here(const Groups& all, const TagsHere& here) {
    Groups some;
    for (std::size_t g = 0; g + 1 < all.start.size(); ++g) {
        const std::span members(all.tags.data() + all.start[g], all.tags.data() + all.start[g + 1]);
        if (!here.contains("rigid group", members)) continue;
        some.tags.insert(some.tags.end(), members.begin(), members.end());
        some.start.push_back(static_cast<std::int64_t>(some.tags.size()));
    }
    return some;
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
    make_rigid_groups(nullptr);
}

template <class T>
void Topology<T>::bind(const ConstraintSpec& of_constraints, const SiteSpec& of_sites) {
    if (!system_.constraints.empty())
        constraints.emplace(queue_, without_fixed(of_constraints), path_);
    if (system_.sites.n > 0) sites.emplace(queue_, of_sites);
}

template <class T>
void Topology<T>::take(const TagsHere* here) {
    if (here == nullptr) {
        bonded = BondedForces<T>(queue_, system_.bonded);
        bind(system_.constraints, system_.sites);
    } else {
        here->check(system_.exclusions);
        bonded = BondedForces<T>(queue_, here->of(system_.bonded));
        bind(here->of(system_.constraints), here->of(system_.sites));
    }
    make_rigid_groups(here);
}

template <class T>
void Topology<T>::make_rigid_groups(const TagsHere* here) {
    const auto& s = system_;
    if (s.coupling.barostat.kind == Barostat::none) return;
    const auto n = static_cast<std::size_t>(s.particles.n);
    std::vector<std::int64_t> group(n);
    if (constraints || sites) {
        auto of_sites = s.sites;
        of_sites.n = s.particles.n;
        auto of_constraints = s.constraints;
        of_constraints.mass.resize(n, 1.0);
        group = update_groups(of_constraints, of_sites, std::numeric_limits<int>::max());
    } else {
        std::iota(group.begin(), group.end(), std::int64_t(0));
    }
    auto groups = sorted_by_group(group);
    if (here != nullptr) groups = those_here(groups, *here);
    group_start_ = to_device(queue_, groups.start), group_tag_ = to_device(queue_, groups.tags);
    group_index_ = device::Buffer<std::int32_t>(queue_, group_tag_.size());
}

template <class T>
bool Topology<T>::empty() const {
    return bonded.empty() && exclusions.empty() && !constraints && !sites &&
           group_start_.size() == 0;
}

template <class T>
void Topology<T>::localise() {
    if (empty()) return;
    localise(system_.particles.tag.view(), system_.particles.n);
}

template <class T>
void Topology<T>::localise(device::Input<Tag> tag, Tag end) {
    tags_.make(queue_, tag, end);
    const bool all_taken = !some_absent_;
    some_absent_ = !tags_.complete();
    if (some_absent_) {
        const TagsHere here(download(queue_, device::View<const Tag>(tag)));
        take(&here);
    } else if (!all_taken) {
        take(nullptr);
    }
    bonded.localise(tags_);
    exclusions.localise(queue_, tag, tags_.indices());
    if (constraints) constraints->localise(queue_, tags_);
    if (sites) sites->localise(queue_, tags_);
    device::parallel_for(queue_, "localise rigid groups", group_tag_.size(),
                         FindIndices{group_tag_.data(), tags_.indices(), group_index_.data()});
}

template class Topology<float>;
template class Topology<double>;

}  // namespace aureole::md
