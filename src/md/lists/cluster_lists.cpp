// SPDX-License-Identifier: Apache-2.0
#include "md/lists/cluster_lists.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "md/integrate/move_launch.hpp"
#include "md/lists/cluster_lists_forces.hpp"
#include "md/lists/cluster_lists_state.hpp"

namespace aureole::md {

template <class T>
ClusterLists<T>::ClusterLists(StepContext& context, Topology<T>& topology, const Pme<T>* mesh)
    : context_(context),
      topology_(topology),
      pairs_(context.queue, context.r_cut, context.system.nonbonded.has_value()),
      pair_forces_(context.queue, context.system.pairs()),
      mesh_(mesh) {
    set_tuning(default_tuning(system()));
    check_room(system(), context_.r_cut, flat, system().step);
    limit_displacements();
}

/// A lattice shift spans one box, and a particle must not interact with two images of one partner.
template <class T>
void ClusterLists<T>::limit_displacements() {
    largest_limit_ = 0.49 * (smallest_periodic_face(system().box) - context_.r_cut);
    // Exact lists are made anew where the halo does not suffice, others at times planned before.
    if (const auto* domain = system().domain; domain != nullptr && !system().list.exact)
        largest_limit_ =
            std::min(largest_limit_, domain->widest_limit(system().box, context_.r_cut));
}

template <class T>
Packed<T> ClusterLists<T>::layout() {
    return pairs_.packed();
}

template <class T>
ForceBlocks<T> ClusterLists<T>::force_blocks() {
    return {pairs_.slot().data, pairs_.force().data, pairs_.force_stride(), pairs_.touched().data,
            ClusterPairs<T>::group_clusters * cluster_size};
}

/// After a search, once the list is partitioned, which resets the marks of touched blocks.
template <class T>
void ClusterLists<T>::partition_bonded() {
    topology_.bonded.partition(force_blocks());
    const bool partitions = mesh_ != nullptr && mesh_->in_partitions();
    if (partitions) pairs_.mark_partitions(system().particles.n);
    const bool everywhere = topology_.sites || !system().field.none() ||
                            !system().externals.empty() || pair_forces_.beyond_list();
    const bool returned = system().domain != nullptr;  // forces on ghosts come to the first thread
    if ((mesh_ != nullptr && !partitions) || everywhere || returned) pairs_.mark_all(0);
}

template <class T>
void ClusterLists<T>::sort_particles() {
    auto& p = system().particles;
    context_.check_positions();
    device::parallel_for(queue(), "wrap", p.n,
                         Wrap{system().box, p.position.data(), p.image.data()});
    if (system().domain != nullptr) {
        pair_forces_.put_columns_on_ghosts(p);
        system().domain->migrate(queue(), system().box, p);
    }
    const Frame frame = system().domain != nullptr ? system().domain->frame() : Frame{};
    const double edge = ColumnSort::edge_of_clusters(system().box, system().n_total());
    device::host_task(queue(), "sort", [&, position = p.position.view()](device::ThreadPool& pool) {
        sort_.sort(pool, system().box, frame, edge, position);
    });
    queue().synchronize();
    context_.permute_columns(sort_.order().data());
    context_.give_room_to_sort_back();
}

/// Ghosts of all particles that may come within the cut-off of particles of this rank while all go
/// no farther than `limit`, or as their own limits say.
template <class T>
void ClusterLists<T>::add_ghosts(double limit) {
    Domain* const domain = system().domain;
    if (domain == nullptr) return;
    auto& p = system().particles;
    const auto& box = system().box;
    // Lists for a single step need the least room.
    domain->require_limit(box, context_.r_cut,
                          system().list.exact ? smallest_limit * context_.r_cut
                                              : outer_width(system(), planned_, conditions()) / 2);
    limit = std::min(limit, domain->widest_limit(box, context_.r_cut));
    const double width = context_.r_cut + 2 * limit + domain->stray();
    domain->make_ghosts(queue(), box, p, width);
    const double edge = ColumnSort::edge_of_clusters(box, system().n_total());
    const std::span<const Zone> ghosts = std::span(domain->zones()).subspan(1);
    device::host_task(queue(), "sort ghosts",
                      [&, position = p.position.all()](device::ThreadPool& pool) {
                          sort_.add_ghosts(pool, box, ghosts, edge, position);
                      });
    queue().synchronize();
    halo_limits_.resize(static_cast<std::size_t>(p.n));
    device::parallel_for(queue(), "limits of the halo", p.n,
                         [of = HaloLimits(box, domain->frame(), {width, limit}),
                          r = p.position.data(), to = halo_limits_.data()](std::int64_t i) {
                             to[i] = static_cast<float>(of(r[i]) * (1 - 1e-6));
                         });
}

/// Particles of terms and excluded pairs that no rank has all of, behind the ghosts.
template <class T>
void ClusterLists<T>::link_particles() {
    const auto absent = topology_.claim_terms(far_exclusions_);
    auto& p = system().particles;
    Domain& domain = *system().domain;
    domain.link(queue(), p, absent);
    const double edge = ColumnSort::edge_of_clusters(system().box, system().n_total());
    device::host_task(
        queue(), "sort linked particles",
        [&, position = p.position.all()](device::ThreadPool& pool) {
            if (!absent.empty())
                sort_.add_ghosts(pool, system().box, {&domain.zones().back(), 1}, edge, position);
        });
    queue().synchronize();
    topology_.localise_claimed();
}

/// Present positions of ghosts. Their owners watch whether they are within their limits.
template <class T>
void ClusterLists<T>::update_ghosts() {
    const Profile::Scope time(context_.profile, StepRegion::halo_positions);
    system().domain->update_ghosts(
        queue(), system().particles, system().step,
        [layout = layout()](std::int64_t i, const core::Vec3d& r) { layout.store(i, r); });
}

template <class T>
void ClusterLists<T>::renew_limits_of_ghosts(bool uniform) {
    system().domain->template forward<T>(
        queue(), system().step, [layout = layout()](std::int64_t i) { return layout.limit(i); },
        RenewLimitsOfGhosts<Packed<T>>{layout(), context_.state(), strain_, uniform});
}

/// All ranks prune at the same step: otherwise each would wait for the prunings of the others.
template <class T>
Wish ClusterLists<T>::agree(Wish mine) {
    Domain* const domain = system().domain;
    if (domain == nullptr) return mine;
    update_ghosts();
    if (!system().list.exact) return mine;  // at the same steps on all ranks
    {
        const Profile::Scope time(context_.profile, StepRegion::sums);
        const auto all = domain->combine(mine, device::Max{});
        if (all != Wish::renewal) return all;
    }
    wish_ = 0;
    outgrown_ = set_limits(inner_rule(system(), planned_, conditions()));
    if (*outgrown_ && !pairs_.may_extend(most_extensions(), largest_limit_)) wish_ = 1;
    const Profile::Scope time(context_.profile, StepRegion::sums);
    search_due_ = domain->combine(wish_, device::Max{}) != 0;
    return Wish::renewal;
}

template <class T>
void ClusterLists<T>::return_forces() {
    if (system().domain == nullptr) return;
    const Profile::Scope time(context_.profile, StepRegion::halo_forces);
    system().domain->return_forces(queue(), layout(), system().step);
}

/// The mesh acts between excluded particles at any distance, and so must what takes that back.
template <class T>
bool ClusterLists<T>::has_all_exclusions() {
    if (system().domain == nullptr || !system().mesh) return true;
    const auto all = static_cast<std::int64_t>(system().exclusions.partner.size()) / 2;
    return system().combine(pair_forces_.excluded_pairs()) == all;
}

/// Ghosts have the outer limits that their owners have set. Linked particles are in no list.
template <class T>
void ClusterLists<T>::pack_ghosts() {
    auto& p = system().particles;
    const auto store = [layout = layout(), r = p.position.data()](std::int64_t i, T limit) {
        layout.store(i, r[i]), layout.set_outer_limit(i, limit);
    };
    system().domain->template forward<T>(
        queue(), system().step,
        [layout = layout()](std::int64_t i) { return layout.outer_limit(i); }, store);
    device::parallel_for(queue(), "pack linked particles", ghosts() - halo_ghosts(),
                         [layout = layout(), store, first = p.n + halo_ghosts()](std::int64_t k) {
                             store(first + k, T(0)), layout.set_limit(first + k, T(0));
                         });
}

template <class T>
void ClusterLists<T>::rebuild() {
    const Profile::Scope time(context_.profile, StepRegion::search);
    auto& p = system().particles;
    pairs_.forget_lists();
    sort_particles();
    limit_displacements();
    searched_ = system().box, strain_ = {};
    context_.expect_motion(context_.measure_speed());
    planned_ = plan(system(), tuning_, conditions());
    const auto outer = outer_rule(system(), planned_, conditions());
    if (outer.uniform) context_.statistics.outer_buffer = 2 * outer.floor;
    add_ghosts(outer.usual(context_.thermal_speed));
    if (!topology_.localise() || far_exclusions_) link_particles();
    pairs_.lay_out(sort_, p.n + ghosts());
    sort_.forget_order();
    device::parallel_for(queue(), "pack positions", p.n,
                         StoreInLayout<Packed<T>>{context_.columns(), layout(), outer});
    if (system().domain != nullptr) pack_ghosts();
    pair_forces_.load_particles(p, topology_.exclusions.partners(), pairs_);
    pairs_.search(sort_, system().box);
    pair_forces_.list_found(system().box, p, topology_.rule(), pairs_);
    if (!has_all_exclusions()) {
        if (std::exchange(far_exclusions_, true))
            throw core::Error("no rank computes some excluded pairs",
                              "the ranks disagree on their owner", "Please report this.");
        return rebuild();
    }
    fresh_ = true;
    searched_at_ = system().step;
    ++context_.statistics.searches;
    context_.statistics.outer_tiles =
        static_cast<double>(pairs_.outer_tiles()) / static_cast<double>(p.n);
}

/// Inner limits of owned particles; whether one needs more than the outer list covers. Sets `wish_`
/// where one needs more than the halo covers.
template <class T>
bool ClusterLists<T>::set_limits(const LimitRule& inner) {
    const Profile::Scope time(context_.profile, StepRegion::prune);
    const double near = strain_.size(), lost = 0.5 * near / (1 - near) * context_.r_cut;
    const RenewLimits<Packed<T>> renew{
        context_.columns(), layout(), context_.state(), inner, strain_, 1 / (1 - near), lost};
    const auto n = system().particles.n;
    if (system().domain != nullptr && system().list.exact)
        launch_limits(queue(), n, renew,
                      RenewLimitsInHalo<Packed<T>>{renew, halo_limits_.data(), context_.r_cut,
                                                   system().step == searched_at_, &wish_},
                      halo_limits_.data());
    else
        launch_limits(queue(), n, renew, renew);
    return take_expiry();
}

/// Whether an outer limit was found exceeded since this was last asked; inner ones are forgotten.
template <class T>
bool ClusterLists<T>::take_expiry() {
    auto s = context_.look();
    const bool expired = s.outer_expired != 0;
    s.list_expired = s.outer_expired = 0;
    device::copy_from_host(queue(), device::View<StepState>{context_.state(), 1}, &s);
    return expired;
}

template <class T>
bool ClusterLists<T>::extend(std::int32_t most_clusters, double largest_limit) {
    const Profile::Scope time(context_.profile, StepRegion::search);
    const bool extended = pairs_.extend(most_clusters, largest_limit);
    if (extended)
        pair_forces_.list_found(system().box, system().particles, topology_.rule(), pairs_);
    return extended;
}

/// Where inner limits outgrow the outer list, that is extended, or searched anew.
template <class T>
void ClusterLists<T>::renew_limits(const LimitRule& inner) {
    constexpr double any = std::numeric_limits<double>::infinity();
    if (!system().list.exact) {
        const bool due =
            system().step - searched_at_ + planned_.inner_lifetime > planned_.outer_lifetime;
        if (due && !outrun_) context_.watch.list_was_kept(system().step - searched_at_);
        if (due || std::exchange(outrun_, false)) rebuild();
        set_limits(inner);
        if (system().domain != nullptr) renew_limits_of_ghosts(true);
        return;
    }
    if (system().domain != nullptr) {
        if (std::exchange(search_due_, false)) rebuild(), outgrown_.reset();
        const bool outgrown = outgrown_ ? *outgrown_ : set_limits(inner);
        outgrown_.reset();
        renew_limits_of_ghosts(false);
        if (take_expiry() || outgrown) extend(pairs_.clusters(), any);
        return;
    }
    if (!set_limits(inner)) return;
    if (system().step != searched_at_) {
        if (extend(most_extensions(), largest_limit_)) return;
        rebuild();
        if (!set_limits(inner)) return;
    }
    extend(pairs_.clusters(), any);
}

template <class T>
bool ClusterLists<T>::was_outrun() {
    outrun_ = context_.is_outrun(layout(), pruned_at_, deadline(), [&](auto&& compare) {
        const auto now = conditions();
        const auto& had = context_.statistics;
        compare(list_width(system(), planned_.inner_lifetime, now), had.inner_buffer);
        compare(outer_width(system(), planned_, now), had.outer_buffer);
    });
    return outrun_;
}

template <class T>
void ClusterLists<T>::make() {
    context_.begin_watch();
    rebuild();
    renew();
}

template <class T>
void ClusterLists<T>::renew() {
    const auto inner = inner_rule(system(), planned_, conditions());
    if (system().step < deadline()) ++context_.statistics.early_prunings;
    if (inner.uniform) context_.statistics.inner_buffer = 2 * inner.floor;
    renew_limits(inner);
    const Profile::Scope time(context_.profile, StepRegion::prune);
    pairs_.prune(inner.uniform ? inner.floor : -1);
    pair_forces_.list_pruned(pairs_);
    if (fresh_) {
        pairs_.partition();
        partition_bonded();
        fresh_ = false;
    }
    pairs_.clear_new_blocks();
    pruned_ = system().box;
    pruned_at_ = system().step;
    ++context_.statistics.prunings;
    context_.statistics.inner_tiles =
        static_cast<double>(pairs_.inner_tiles()) / static_cast<double>(system().particles.n);
}

/// The reference positions follow the box, and the limits of exact lists shrink.
template <class T>
void ClusterLists<T>::follow(const Strain& strain) {
    pairs_.set_box(system().box);
    strain_ = strain.after(strain_);
    if (system().list.exact)
        device::parallel_for(queue(), "stretch list", system().particles.n + ghosts(),
                             StrainList<Packed<T>>{layout(), strain, 1 - strain.size(),
                                                   0.5 * strain.size() * context_.r_cut});
    limit_displacements();
}

template class ClusterLists<float>;
template class ClusterLists<double>;

}  // namespace aureole::md
