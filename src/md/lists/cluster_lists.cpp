// SPDX-License-Identifier: Apache-2.0
#include "md/lists/cluster_lists.hpp"

#include <cmath>
#include <limits>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "md/lists/cluster_lists_forces.hpp"
#include "md/lists/cluster_lists_state.hpp"

namespace aureole::md {

using core::Profile;

template <class T>
ClusterLists<T>::ClusterLists(StepContext& context, Topology<T>& topology, const Pme<T>* mesh)
    : context_(context),
      topology_(topology),
      pairs_(context.queue, context.r_cut),
      pair_forces_(context.queue, context.system.pairs()),
      mesh_(mesh) {
    set_tuning(default_tuning(system()));
    check_room(system(), context_.r_cut, lanes, system().step);
    limit_displacements();
}

/// A lattice shift reaches one box, and a pair must not meet two images of one partner.
template <class T>
void ClusterLists<T>::limit_displacements() {
    most_reach_ = 0.49 * (smallest_periodic_face(system().box) - context_.r_cut);
}

template <class T>
Packed<T> ClusterLists<T>::place() {
    return pairs_.packed();
}

template <class T>
ForceBlocks<T> ClusterLists<T>::force_blocks() {
    return {pairs_.slot().data, pairs_.force().data, pairs_.force_stride(), pairs_.touched().data,
            ClusterPairs<T>::group_clusters * cluster_size};
}

/// After a search, when the list has been shared: that sets the marks of touched blocks anew.
template <class T>
void ClusterLists<T>::share_bonded() {
    topology_.bonded.share(force_blocks());
    const bool shares = mesh_ != nullptr && mesh_->in_shares();
    if (shares) pairs_.mark_shares();
    const bool everywhere = topology_.sites || !system().field.none() || pair_forces_.beyond_list();
    if ((mesh_ != nullptr && !shares) || everywhere) pairs_.mark_all(0);
}

template <class T>
void ClusterLists<T>::sort_particles() {
    auto& p = system().particles;
    context_.check_places();
    device::parallel_for(queue(), "wrap", p.n,
                         Wrap{system().box, p.position.data(), p.image.data()});
    device::host_task(queue(), "sort", [&, position = p.position.view()](device::ThreadPool& pool) {
        sort_.sort(pool, system().box, position);
    });
    queue().synchronize();
    context_.permute_columns(sort_.order().data());
}

template <class T>
void ClusterLists<T>::rebuild() {
    const Profile::Scope time(context_.profile, core::Region::search);
    auto& p = system().particles;
    sort_particles();
    topology_.localise();
    pairs_.lay_out(sort_, p.n);
    searched_ = system().box, strain_ = {};
    context_.measure_speed();
    planned_ = plan(system(), tuning_, conditions());
    const auto outer = outer_rule(system(), planned_, conditions());
    if (outer.uniform) context_.statistics.outer_buffer = 2 * outer.floor;
    device::parallel_for(queue(), "place", p.n,
                         PlaceAll<Packed<T>>{context_.columns(), place(), outer});
    pair_forces_.place(p, topology_.exclusions.places(), pairs_);
    pairs_.search(sort_, system().box);
    pair_forces_.list_found(system().box, p, pairs_);
    fresh_ = true;
    searched_at_ = system().step;
    ++context_.statistics.searches;
    context_.statistics.outer_tiles =
        static_cast<double>(pairs_.outer_tiles()) / static_cast<double>(p.n);
}

/// Inner limits of all particles; whether one needs more than the outer list covers.
template <class T>
bool ClusterLists<T>::set_limits(const ReachRule& inner) {
    const Profile::Scope time(context_.profile, core::Region::prune);
    const double near = strain_.size(), lost = 0.5 * near / (1 - near) * context_.r_cut;
    device::parallel_for(queue(), "limits", system().particles.n,
                         RenewReach<Packed<T>>{context_.columns(), place(), context_.state.data(),
                                               inner, strain_, 1 / (1 - near), lost});
    auto s = context_.look();
    const bool outlived = s.outer_outlived != 0;
    s.list_outlived = s.outer_outlived = 0;
    device::copy_from_host(queue(), context_.state.view(), &s);
    return outlived;
}

/// Where inner limits outgrow the outer list, that is extended, or searched anew.
template <class T>
void ClusterLists<T>::renew_limits(const ReachRule& inner) {
    if (!system().list.exact) {
        if (system().step - searched_at_ + planned_.inner_life > planned_.outer_life) rebuild();
        set_limits(inner);
        return;
    }
    if (!set_limits(inner)) return;
    const auto extend = [&](std::int32_t most_clusters, double most_reach) {
        const Profile::Scope time(context_.profile, core::Region::search);
        const bool extended = pairs_.extend(most_clusters, most_reach);
        if (extended) pair_forces_.list_found(system().box, system().particles, pairs_);
        return extended;
    };
    if (system().step != searched_at_) {
        const auto limit = static_cast<std::int32_t>(extension_limit * pairs_.clusters()) + 1;
        if (extend(limit, most_reach_)) return;
        rebuild();
        if (!set_limits(inner)) return;
    }
    extend(pairs_.clusters(), std::numeric_limits<double>::infinity());
}

template <class T>
void ClusterLists<T>::make() {
    rebuild();
    renew();
}

template <class T>
void ClusterLists<T>::renew() {
    const auto inner = inner_rule(system(), planned_, conditions());
    if (system().step < deadline()) ++context_.statistics.early_prunings;
    if (inner.uniform) context_.statistics.inner_buffer = 2 * inner.floor;
    renew_limits(inner);
    const Profile::Scope time(context_.profile, core::Region::prune);
    pairs_.prune(inner.uniform ? inner.floor : -1);
    pair_forces_.list_pruned(pairs_);
    if (fresh_) {
        pairs_.share();
        share_bonded();
        fresh_ = false;
    }
    pruned_ = system().box;
    pruned_at_ = system().step;
    ++context_.statistics.prunings;
    context_.statistics.inner_tiles =
        static_cast<double>(pairs_.inner_tiles()) / static_cast<double>(system().particles.n);
}

/// The references go with the box, and the reaches of exact lists shrink.
template <class T>
void ClusterLists<T>::follow(const Strain& strain) {
    pairs_.set_box(system().box);
    strain_ = strain.after(strain_);
    if (system().list.exact)
        device::parallel_for(queue(), "stretch list", system().particles.n,
                             StretchList<Packed<T>>{place(), strain, 1 - strain.size(),
                                                    0.5 * strain.size() * context_.r_cut});
    limit_displacements();
}

template class ClusterLists<float>;
template class ClusterLists<double>;

}  // namespace aureole::md
