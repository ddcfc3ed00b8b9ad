// SPDX-License-Identifier: Apache-2.0
#include "md/topology.hpp"

#include <limits>
#include <numeric>

#include "device/launch.hpp"
#include "md/integrate/constraints/groups.hpp"
#include "md/integrate/update_groups.hpp"

namespace aureole::md {

template <class T>
Topology<T>::Topology(device::Queue& queue, const System& system, Constraints::Path path)
    : bonded(queue, system.bonded),
      exclusions(queue, system.exclusions),
      queue_(queue),
      system_(system) {
    if (!system.constraints.empty())
        constraints.emplace(queue, without_fixed(system.constraints), path);
    if (system.sites.n > 0) sites.emplace(queue, system.sites);
    make_rigid_groups();
}

template <class T>
void Topology<T>::make_rigid_groups() {
    const auto& s = system_;
    if (s.coupling.barostat.kind == Barostat::none) return;
    const auto n = static_cast<std::size_t>(s.particles.n);
    std::vector<std::int32_t> group(n);
    if (constraints || sites) {
        auto of_sites = s.sites;
        of_sites.n = s.particles.n;
        auto of_constraints = s.constraints;
        of_constraints.mass.resize(n, 1.0);
        group = update_groups(of_constraints, of_sites, std::numeric_limits<int>::max());
    } else {
        std::iota(group.begin(), group.end(), 0);
    }
    std::vector<std::int64_t> start(2, 0);  // counts, shifted by two until the tags are in place
    for (const auto g : group) {
        if (start.size() < static_cast<std::size_t>(g) + 3)
            start.resize(static_cast<std::size_t>(g) + 3);
        ++start[static_cast<std::size_t>(g) + 2];
    }
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    std::vector<std::int32_t> tags(n);
    for (std::size_t i = 0; i < n; ++i)
        tags[static_cast<std::size_t>(start[static_cast<std::size_t>(group[i]) + 1]++)] =
            static_cast<std::int32_t>(i);
    start.pop_back();
    group_start_ = to_device(queue_, start), group_tag_ = to_device(queue_, tags);
    group_index_ = device::Buffer<std::int32_t>(queue_, group_tag_.size());
}

template <class T>
bool Topology<T>::empty() const {
    return bonded.empty() && exclusions.empty() && !constraints && !sites && group_tag_.size() == 0;
}

template <class T>
void Topology<T>::localise() {
    if (empty()) return;
    const auto& p = system_.particles;
    tags_.make(queue_, p.tag.view(), p.n);
    bonded.localise(tags_);
    exclusions.localise(queue_, p.tag.view(), tags_.indices());
    if (constraints) constraints->localise(queue_, tags_);
    if (sites) sites->localise(queue_, tags_);
    device::parallel_for(queue_, "localise rigid groups", group_tag_.size(),
                         FindIndices{group_tag_.data(), tags_.indices(), group_index_.data()});
}

template class Topology<float>;
template class Topology<double>;

}  // namespace aureole::md
