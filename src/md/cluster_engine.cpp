// SPDX-License-Identifier: Apache-2.0
#include "md/cluster_engine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/blow_up.hpp"
#include "md/coupling/bussi.hpp"
#include "md/integrate/move_job.hpp"
#include "md/integrate/read.kernel.hpp"
#include "md/list_rules.hpp"

namespace aureole::md {

using core::Profile;

template <class T>
ClusterEngine<T>::ClusterEngine(device::Queue& queue, System& system)
    : Base(queue, system), pairs_(queue, r_cut_), pair_forces_(queue, system.pairs()) {
    set_tuning(default_tuning());
    Base::check_room();
    limit_reach();
}

/// A lattice shift reaches one box, and a pair must not meet two images of one partner.
template <class T>
void ClusterEngine<T>::limit_reach() {
    most_reach_ = 0.49 * (Base::smallest_periodic_face(system_.box) - r_cut_);
}

template <class T>
Packed<T> ClusterEngine<T>::place() {
    return pairs_.packed();
}

template <class T>
ForceBlocks<T> ClusterEngine<T>::force_blocks() {
    return {pairs_.slot().data, pairs_.force().data, pairs_.force_stride(), pairs_.touched().data,
            ClusterPairs<T>::group_clusters * cluster_size};
}

/// After a search, when the list has been shared: that sets the marks of touched blocks anew.
template <class T>
void ClusterEngine<T>::share_bonded() {
    bonded_.share(force_blocks());
    const bool shares = mesh_ && mesh_->in_shares();
    if (shares) pairs_.mark_shares();
    const bool everywhere = sites_ || !system_.field.none() || pair_forces_.beyond_list();
    if ((mesh_ && !shares) || everywhere) pairs_.mark_all(0);
}

/// The mesh reaches every particle; each thread's blocks hold what it gives to its share of them.
template <class T>
ForceSink<T> ClusterEngine<T>::mesh_sink() {
    return ForceSink<T>::blocks(pairs_.force().data, pairs_.slot().data, pairs_.force_stride());
}

template <class T>
void ClusterEngine<T>::add_bonded(std::vector<EnergyVirial>* sums) {
    bonded_.add_to(force_blocks(), system_.box, system_.particles.position.data(), sums);
}

template <class T>
void ClusterEngine<T>::sort_particles() {
    auto& p = system_.particles;
    Base::check_places();
    device::parallel_for(queue_, "wrap", p.n, Wrap{system_.box, p.position.data(), p.image.data()});
    device::host_task(queue_, "sort", [&, position = p.position.view()](device::ThreadPool& pool) {
        sort_.sort(pool, system_.box, position);
    });
    queue_.synchronize();
    Base::permute_columns(sort_.order().data());
}

template <class T>
void ClusterEngine<T>::rebuild() {
    const Profile::Scope time(profile_, core::Region::search);
    auto& p = system_.particles;
    sort_particles();
    Base::localise();
    pairs_.lay_out(sort_, p.n);
    searched_ = system_.box, strain_ = {};
    Base::measure_speed();
    planned_ = plan(system_, tuning_, conditions());
    const auto outer = outer_rule(system_, planned_, conditions());
    if (outer.uniform) statistics_.outer_buffer = 2 * outer.floor;
    device::parallel_for(queue_, "place", p.n, PlaceAll<Packed<T>>{columns(), place(), outer});
    pair_forces_.place(p, Base::topology_.exclusions.places(), pairs_);
    pairs_.search(sort_, system_.box);
    pair_forces_.list_found(system_.box, p, pairs_);
    fresh_ = true;
    searched_at_ = system_.step;
    ++statistics_.searches;
    statistics_.outer_tiles = static_cast<double>(pairs_.outer_tiles()) / static_cast<double>(p.n);
}

template <class T>
void ClusterEngine<T>::renew_reaches(const ReachRule& inner, bool early) {
    if (early) ++statistics_.early_prunings;
    if (inner.uniform) statistics_.inner_buffer = 2 * inner.floor;
    const auto set = [&] {
        const Profile::Scope time(profile_, core::Region::prune);
        const double near = strain_.size(), lost = 0.5 * near / (1 - near) * r_cut_;
        StepState s;
        device::parallel_for(queue_, "reach", system_.particles.n,
                             RenewReach<Packed<T>>{columns(), place(), state_.data(), inner,
                                                   strain_, 1 / (1 - near), lost});
        device::copy_to_host(queue_, &s, state_.view());
        const bool outlived = s.outer_outlived != 0;
        s.list_outlived = s.outer_outlived = 0;
        device::copy_from_host(queue_, state_.view(), &s);
        return outlived;
    };
    if (!system_.list.exact) {
        if (system_.step - searched_at_ + planned_.inner_life > planned_.outer_life) rebuild();
        set();
        return;
    }
    if (!set()) return;
    const auto limit = static_cast<std::int32_t>(extension_limit * pairs_.clusters()) + 1;
    const auto extend = [&](std::int32_t most_clusters, double most_reach) {
        const Profile::Scope time(profile_, core::Region::search);
        const bool extended = pairs_.extend(most_clusters, most_reach);
        if (extended) pair_forces_.list_found(system_.box, system_.particles, pairs_);
        return extended;
    };
    if (system_.step != searched_at_) {
        if (extend(limit, most_reach_)) return;
        rebuild();
        if (!set()) return;
    }
    extend(pairs_.clusters(), std::numeric_limits<double>::infinity());
}

template <class T>
void ClusterEngine<T>::make_lists() {
    rebuild();
    renew_lists();
}

template <class T>
void ClusterEngine<T>::renew_lists() {
    const auto inner = inner_rule(system_, planned_, conditions());
    renew_reaches(inner, !list_is_due());
    const Profile::Scope time(profile_, core::Region::prune);
    pairs_.prune(inner.uniform ? inner.floor : -1);
    pair_forces_.list_pruned(pairs_);
    if (fresh_) {
        pairs_.share();
        share_bonded();
        fresh_ = false;
    }
    pruned_ = system_.box;
    pruned_at_ = system_.step;
    ++statistics_.prunings;
    statistics_.inner_tiles =
        static_cast<double>(pairs_.inner_tiles()) / static_cast<double>(system_.particles.n);
}

/// The references go with the box, and the reaches of exact lists shrink.
template <class T>
void ClusterEngine<T>::follow(const Strain& strain) {
    pairs_.set_box(system_.box);
    strain_ = strain.after(strain_);
    if (system_.list.exact)
        device::parallel_for(queue_, "stretch list", system_.particles.n,
                             StretchList<Packed<T>>{place(), strain, 1 - strain.size(),
                                                    0.5 * strain.size() * r_cut_});
    limit_reach();
}

template <class T>
void ClusterEngine<T>::pair_forces() {
    pair_forces_.add(system_.box, system_.particles, pairs_, PairWant::forces);
}

template <class T>
std::vector<EnergyVirial> ClusterEngine<T>::pair_forces_and_sums() {
    return pair_forces_.add(system_.box, system_.particles, pairs_, PairWant::terms);
}

template <class T>
core::Sym3d ClusterEngine<T>::pair_forces_and_virial() {
    core::Sym3d virial{};
    for (const auto& one :
         pair_forces_.add(system_.box, system_.particles, pairs_, PairWant::virial))
        virial += one.virial;
    return virial;
}

template <class T>
ParticleSums ClusterEngine<T>::particle_sums() {
    const auto& p = system_.particles;
    ParticleSums sums;
    for (const auto& one : pair_forces_.of_particles(system_.box, p, pairs_))
        sums.energy.push_back(one.energy), sums.virial.push_back(one.virial);
    add_particle_sums(system_.bonded, system_.box, download(queue_, p.position),
                      download_tags(queue_, p), sums.energy, sums.virial);
    return sums;
}

template <class T>
void ClusterEngine<T>::move(bool owed) {
    const auto& m = system_.motion;
    if (m.bath == Bath::langevin)
        move_with(LangevinBath{std::exp(-m.gamma * m.dt), m.kT * -std::expm1(-2 * m.gamma * m.dt),
                               system_.seed},
                  owed);
    else
        move_with(NoBath{}, owed);
}

template <class T>
template <class Bath>
void ClusterEngine<T>::move_with(const Bath& bath, bool owed) {
    const Profile::Scope time(profile_, core::Region::update);
    const auto& m = system_.motion;
    const double farthest = r_cut_ > 0 ? r_cut_ : 1e300;
    const Move<Packed<T>, Bath> one{columns(),      place(), state_.data(),
                                    bath,           m.dt,    farthest,
                                    m.longest_move, owed,    system_.list.exact};
    if (one.c.inverse_mass == 0 || one.c.moves != nullptr || one.longest > 0) {
        device::parallel_for(queue_, "move", system_.particles.n, one);
        return;
    }
    device::host_task(queue_, "move", [one, n = system_.particles.n](device::ThreadPool& pool) {
        constexpr bool langevin = std::is_same_v<Bath, LangevinBath>;
        LangevinBath bath_of_job{};
        if constexpr (langevin) bath_of_job = one.bath;
        const auto single = [](const void* self, std::int64_t i) {
            (*static_cast<const Move<Packed<T>, Bath>*>(self))(i);
        };
        const MoveJob<T> job{one.c,       one.place,
                             bath_of_job, one.state->step,
                             one.dt,      0.5 * one.farthest,
                             one.owed,    one.watch,
                             single,      &one};
        const auto kernel = move_kernels().of<T>(langevin);
        pool.run([&](int rank) {
            const auto part = device::part_of(n, rank, pool.size(), 16);
            if (kernel(job, part.begin, part.end)) core::atomic_or(&one.state->list_outlived, 1);
        });
    });
}

template <class T>
void ClusterEngine<T>::advance(std::int64_t steps) {
    if (Base::of_molecules()) return Base::advance_molecules(steps);
    for (std::int64_t k = 0; k < steps; ++k) {
        move(half_kick_pending_);
        ++system_.step;
        ++statistics_.steps;
        StepState s;
        device::copy_to_host(queue_, &s, state_.view());
        if (s.blown_up != StepState::nobody) Base::report_blow_up(s.blown_up);
        s.step = system_.step;
        device::copy_from_host(queue_, state_.view(), &s);
        if (s.list_outlived != 0 || list_is_due()) renew_lists();
        Base::compute_forces();
        Base::finish_step(state_.data());
    }
}

template class ClusterEngine<float>;
template class ClusterEngine<double>;

template <class T>
std::unique_ptr<Engine> make_cluster_engine(device::Queue& queue, System& system) {
    return std::make_unique<ClusterEngine<T>>(queue, system);
}
template std::unique_ptr<Engine> make_cluster_engine<float>(device::Queue&, System&);
template std::unique_ptr<Engine> make_cluster_engine<double>(device::Queue&, System&);

}  // namespace aureole::md
