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
    : queue_(queue),
      system_(system),
      pairs_(queue, largest_cut_off(system)),
      state_(queue, 1),
      bonded_(queue, system.bonded) {
    for (const auto& force : system.forces) {
        const auto kernels = force.potential().kernels();
        if constexpr (std::is_same_v<T, float>)
            tables_.push_back({force.tables<T>(), kernels.mixed});
        else
            tables_.push_back({force.tables<T>(), kernels.full});
    }
    if (system.nonbonded) nonbonded_.emplace(*system.nonbonded);
    if (system.mesh) mesh_.emplace(queue, *system.mesh);
    set_tuning(default_tuning());
    make_molecules();
    limit_reach();
}

/// A lattice shift reaches one box, and a pair must not meet two images of one partner.
template <class T>
void ClusterEngine<T>::limit_reach() {
    const auto& box = system_.box;
    const auto face = box.face_distances();
    double room = std::numeric_limits<double>::infinity();
    if (box.periodic_x) room = std::min(room, face.x);
    if (box.periodic_y) room = std::min(room, face.y);
    if (box.periodic_z) room = std::min(room, face.z);
    most_reach_ = 0.49 * (room - pairs_.r_cut());
    if (2 * pairs_.r_cut() > room)
        throw core::Error("the box has become too small for the cut-off",
                          "half of it is " + std::to_string(0.5 * room) + " at step " +
                              std::to_string(system_.step),
                          "Begin with a larger box.");
}

template <class T>
Packed<T> ClusterEngine<T>::packed() {
    return {pairs_.coordinates().data,
            pairs_.reference().data,
            pairs_.outer().data,
            pairs_.force().data,
            pairs_.asked().data,
            pairs_.slot().data,
            pairs_.touched().data,
            pairs_.force_stride(),
            queue_.device().threads().size(),
            ClusterPairs<T>::group_clusters * cluster_size};
}

template <class T>
ForceBlocks<T> ClusterEngine<T>::force_blocks() {
    return {pairs_.slot().data, pairs_.force().data, pairs_.force_stride(), pairs_.touched().data,
            ClusterPairs<T>::group_clusters * cluster_size};
}

/// After a search, which sets the marks of touched blocks anew.
template <class T>
void ClusterEngine<T>::localise_bonded() {
    bonded_.localise(system_.particles.tag.view());
    bonded_.share(force_blocks());
    const bool shares = mesh_ && mesh_->in_shares();
    if (shares) pairs_.mark_shares();
    if ((mesh_ && !shares) || sites_ || !system_.field.none()) pairs_.mark_all(0);
}

/// The mesh reaches every particle; each thread's blocks hold what it gives to its share of them.
template <class T>
void ClusterEngine<T>::add_mesh(MeshWant want) {
    auto& p = system_.particles;
    mesh_->compute(
        queue_, {p.n, p.position.data(), p.charge.data()}, system_.box,
        ForceSink<T>::blocks(pairs_.force().data, pairs_.slot().data, pairs_.force_stride()), want);
}

template <class T>
void ClusterEngine<T>::add_bonded(std::vector<EnergyVirial>* sums) {
    bonded_.add_to(force_blocks(), system_.box, system_.particles.position.data(), sums);
}

template <class T>
void ClusterEngine<T>::prepare() {
    StepState start;
    start.step = system_.step;
    device::copy_from_host(queue_, state_.view(), &start);
    if (sites_) localise_molecules();
    construct_sites();
    make_drift_buffer(kT_of_lists());
    rebuild();
    compute_forces(true);
}

/// The temperature for which lists are made: the bath's, or what the particles have.
template <class T>
double ClusterEngine<T>::kT_of_lists() {
    double kT = 0;
    if (system_.motion.coupled)
        for (const auto& group : system_.coupling.groups) {
            kT = std::max(kT, group.kT);
            for (const double point : group.kTs) kT = std::max(kT, point);
        }
    if (kT > 0) return kT;
    const auto sums = motion_sums();
    const double dof = degrees_of_freedom(system_, sums);
    return dof > 0 ? sums.twice_kinetic.trace() / dof : 0;
}

template <class T>
void ClusterEngine<T>::make_drift_buffer(double kT) {
    drift_.reset();
    if (system_.nonbonded && !system_.list.exact) drift_.emplace(queue_, system_, kT);
}

template <class T>
void ClusterEngine<T>::sort_particles() {
    auto& p = system_.particles;
    device::parallel_for(queue_, "wrap", p.n, Wrap{system_.box, p.position.data(), p.image.data()});
    device::host_task(queue_, "sort", [&, position = p.position.view()](device::ThreadPool& pool) {
        sort_.sort(pool, system_.box, position);
    });
    queue_.synchronize();
    // One number of each particle at a time, so that little memory is taken beside the columns.
    device::Buffer<double> one_number(queue_, p.n);
    const auto permute = [&]<class Number>(Number* column, std::int64_t numbers) {
        if (column == nullptr) return;
        device::host_task(
            queue_, "permute", [&, scratch = one_number.data()](device::ThreadPool& pool) {
                const auto* order = sort_.order().data();
                auto* sorted = reinterpret_cast<Number*>(scratch);
                for (std::int64_t k = 0; k < numbers; ++k) {
                    const auto all = [&](auto&& move) {
                        pool.run([&](int rank) {
                            const auto part = device::part_of(p.n, rank, pool.size(), 16);
                            for (auto i = part.begin; i < part.end; ++i) move(i);
                        });
                    };
                    all([&](std::int64_t i) { sorted[i] = column[numbers * order[i] + k]; });
                    all([&](std::int64_t i) { column[numbers * i + k] = sorted[i]; });
                }
            });
        queue_.synchronize();
    };
    permute(reinterpret_cast<double*>(p.position.data()), 3);
    permute(reinterpret_cast<double*>(p.velocity.data()), 3);
    permute(reinterpret_cast<std::int32_t*>(p.image.data()), 3);
    permute(p.type.data(), 1), permute(p.tag.data(), 1), permute(p.moves.data(), 1);
    permute(p.bath.data(), 1);
    permute(reinterpret_cast<double*>(before_.data()), 3);
    permute(p.charge.data(), 1);
    if (p.uniform_mass == 0) permute(p.mass.data(), 1);
    ++p.generation;
}

template <class T>
void ClusterEngine<T>::rebuild() {
    const Profile::Scope time(profile_, core::Region::search);
    auto& p = system_.particles;
    sort_particles();
    localise_molecules();
    pairs_.lay_out(sort_, p.n);
    searched_ = system_.box, strain_ = {};
    const auto sums = motion_sums();
    thermal_speed_ = sums.mass > 0 ? std::sqrt(sums.twice_kinetic.trace() / (3 * sums.mass)) : 0;
    planned_ = plan(system_, tuning_, conditions());
    const auto outer = outer_rule(system_, planned_, conditions());
    if (outer.uniform) statistics_.outer_buffer = 2 * outer.floor;
    device::parallel_for(queue_, "place", p.n, PlaceAll<Packed<T>>{columns(), packed(), outer});
    place_constants();
    pairs_.search(sort_, system_.box);
    localise_bonded();
    searched_at_ = system_.step;
    ++statistics_.searches;
    statistics_.outer_tiles = static_cast<double>(pairs_.outer_tiles()) / static_cast<double>(p.n);
}

/// What kernels read of a particle besides its coordinates.
template <class T>
void ClusterEngine<T>::place_constants() {
    auto& p = system_.particles;
    device::parallel_for(queue_, "types", p.n,
                         [slot = pairs_.slot().data, to = pairs_.types().data,
                          from = p.type.data()](std::int64_t i) { to[slot[i]] = from[i]; });
    pairs_.exclude(system_.exclusions, p.tag.view());
    if (nonbonded_) nonbonded_->place(queue_, p, pairs_);
}

template <class T>
void ClusterEngine<T>::renew_list(bool early) {
    const auto inner = inner_rule(system_, planned_, conditions());
    if (early) ++statistics_.early_prunings;
    if (inner.uniform) statistics_.inner_buffer = 2 * inner.floor;
    const auto set = [&] {
        const Profile::Scope time(profile_, core::Region::prune);
        const double near = strain_.size(), lost = 0.5 * near / (1 - near) * pairs_.r_cut();
        StepState s;
        device::parallel_for(queue_, "reach", system_.particles.n,
                             RenewReach<Packed<T>>{columns(), packed(), state_.data(), inner,
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
        return pairs_.extend(most_clusters, most_reach);
    };
    if (system_.step != searched_at_) {
        if (extend(limit, most_reach_)) return;
        rebuild();
        if (!set()) return;
    }
    extend(pairs_.clusters(), std::numeric_limits<double>::infinity());
}

template <class T>
EnergyVirial ClusterEngine<T>::run_force(std::size_t k, KernelVariant variant) {
    const auto& force = system_.forces[k];
    const int several = force.spec().n_types > 1 ? 1 : 0;
    const auto kernel = tables_[k].kernels->kernel[static_cast<int>(force.modifier())][several]
                                                  [static_cast<int>(variant)];
    const PairTables<T> tables{tables_[k].rows.data(), force.spec().n_types};
    return pairs_.run(kernel, tables);
}

template <class T>
void ClusterEngine<T>::renew_lists() {
    renew_list(system_.step - pruned_at_ < planned_.inner_life);
    const Profile::Scope time(profile_, core::Region::prune);
    pairs_.prune();
    pruned_ = system_.box;
    pruned_at_ = system_.step;
    ++statistics_.prunings;
    statistics_.inner_tiles =
        static_cast<double>(pairs_.inner_tiles()) / static_cast<double>(system_.particles.n);
}

template <class T>
void ClusterEngine<T>::compute_forces(bool renew) {
    if (renew) renew_lists();
    {
        const Profile::Scope time(profile_, core::Region::force);
        for (std::size_t k = 0; k < tables_.size(); ++k) run_force(k, KernelVariant::force);
        if (nonbonded_) nonbonded_->run(pairs_, KernelVariant::force);
    }
    add_other_forces(false);
}

template <class T>
PotentialSums ClusterEngine<T>::potential() {
    const Profile::Scope time(profile_, core::Region::thermo);
    PotentialSums sums;
    device::fill(queue_, pairs_.force(), T(0));
    for (std::size_t k = 0; k < tables_.size(); ++k)
        sums.of_force.push_back(run_force(k, KernelVariant::force_energy));
    if (nonbonded_) {
        const auto total = nonbonded_->run(pairs_, KernelVariant::force_energy);
        sums.of_force.push_back(total.vdw), sums.of_force.push_back(total.coulomb);
        sums.of_force.back().energy += nonbonded_->self_energy();
    }
    // In the order of compute_forces(), so that a look changes no trajectory.
    std::vector<EnergyVirial> of_bonded;
    add_bonded(&of_bonded);
    if (mesh_) {
        add_mesh(MeshWant::forces_and_energy);
        sums.of_force.push_back(mesh_->energy(queue_));
    }
    sums.of_force.insert(sums.of_force.end(), of_bonded.begin(), of_bonded.end());
    for (const auto& one : sums.of_force) sums.total += one;
    add_field();
    sums.total.virial += spread_sites(true);
    return sums;
}

template <class T>
void ClusterEngine<T>::read_forces(device::View<Vec3d> to) {
    device::parallel_for(queue_, "forces", system_.particles.n,
                         ReadForces<Packed<T>>{packed(), to.data});
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
    const double farthest = pairs_.r_cut() > 0 ? pairs_.r_cut() : 1e300;
    const Move<Packed<T>, Bath> one{columns(),      packed(), state_.data(),
                                    bath,           m.dt,     farthest,
                                    m.longest_move, owed,     system_.list.exact};
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
void ClusterEngine<T>::half_kick() {
    const Profile::Scope time(profile_, core::Region::update);
    device::parallel_for(queue_, "half kick", system_.particles.n,
                         HalfKick<Packed<T>>{columns(), packed(), 0.5 * system_.motion.dt});
}

template <class T>
void ClusterEngine<T>::advance(std::int64_t steps) {
    if (of_molecules()) return advance_molecules(steps);
    bool owed = false;  // the closing half kick of the step before
    for (std::int64_t k = 0; k < steps; ++k) {
        move(owed);
        ++system_.step;
        ++statistics_.steps;
        StepState s;
        device::copy_to_host(queue_, &s, state_.view());
        if (s.blown_up != StepState::nobody) report_blow_up(s.blown_up);
        s.step = system_.step;
        device::copy_from_host(queue_, state_.view(), &s);
        compute_forces(s.list_outlived != 0 || system_.step - pruned_at_ >= planned_.inner_life);
        owed = true;
        const auto& m = system_.motion;
        const bool bath = m.bath == Bath::bussi && system_.step % m.bath_every == 0;
        const bool drift = m.remove_drift_every > 0 && system_.step % m.remove_drift_every == 0;
        if (!bath && !drift) continue;
        half_kick();
        owed = false;
        if (bath) bussi();
        if (drift) remove_drift();
    }
    if (owed) half_kick();
}

template <class T>
void ClusterEngine<T>::bussi() {
    const auto sums = motion_sums();
    const auto& m = system_.motion;
    const double dof = degrees_of_freedom(system_, sums);
    const double factor =
        bussi_factor({0.5 * sums.twice_kinetic.trace(), dof, m.kT, m.bath_every * m.dt / m.tau,
                      system_.seed, static_cast<std::uint64_t>(system_.step)});
    device::parallel_for(queue_, "bussi", system_.particles.n, Rescale{columns(), factor, {}});
}

template <class T>
void ClusterEngine<T>::remove_drift() {
    const auto sums = motion_sums();
    if (sums.mass == 0) return;
    device::parallel_for(queue_, "remove drift", system_.particles.n,
                         Rescale{columns(), 1, (1 / sums.mass) * sums.momentum});
}

template <class T>
void ClusterEngine<T>::report_blow_up(std::uint32_t tag) {
    throw_blow_up(diagnose(queue_, system_, tag));
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
