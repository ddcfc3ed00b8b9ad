// SPDX-License-Identifier: Apache-2.0
#include "md/pair/flat_pair_forces.hpp"

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/pair/flat.kernel.hpp"
#include "md/pair/flat_pass.hpp"

namespace aureole::md {

template <class T>
FlatPairForces<T>::FlatPairForces(device::Queue& queue, const PairSettings& settings)
    : queue_(queue),
      settings_(settings),
      changing_(settings.forces, settings.changing),
      total_(queue, 1) {
    if (settings.nonbonded) nonbonded_.emplace(queue, *settings.nonbonded);
    for (const auto& force : settings.forces) {
        const auto& kernels = force.potential().flat;
        if constexpr (std::is_same_v<T, float>)
            kernels_.push_back({to_device(queue, force.tables<T>()), kernels.mixed});
        else
            kernels_.push_back({to_device(queue, force.tables<T>()), kernels.full});
    }
}

template <class T>
void FlatPairForces<T>::load_particles(Particles& particles, std::int64_t rows, Site<T>* site) {
    n_ = rows;
    device::parallel_for(queue_, "types", n_, SetTypes<T>{particles.type.data(), site});
    for (std::size_t k = 0; k < kernels_.size(); ++k) pack_columns(k, particles, nullptr);
    if (nonbonded_) nonbonded_->load_particles(queue_, particles, rows);
}

template <class T>
void FlatPairForces<T>::take_columns(Particles& particles, const BringToGhosts& bring) {
    if (changing_.names().empty()) return;
    changing_.keep(queue_, particles, bring);
    for (std::size_t k = 0; k < kernels_.size(); ++k)
        pack_columns(k, particles, &changing_.names());
}

template <class T>
void FlatPairForces<T>::pack_columns(std::size_t k, const Particles& particles,
                                     const std::vector<std::string>* alone) {
    const auto& potential = settings_.forces[k].potential();
    const int numbers = potential.numbers_read();
    auto& to = kernels_[k].columns;
    to.resize(queue_, numbers * n_);
    for_each_column_read(particles, potential, alone, [&](const AnyColumn& column, int first) {
        with_values(column, [&]<class E>(const E* from) {
            device::parallel_for(queue_, "pack column", n_,
                                 PackColumn<T, E>{from, to.data(), numbers, first});
        });
    });
}

template <class T>
FlatJob<T> FlatPairForces<T>::job_of(std::size_t k, const FlatParticles<T>& of,
                                     const FixedForces& force, PairSums* sums) {
    return {of.site,
            of.list,
            of.images,
            of.expired_at,
            kernels_[k].rows.data(),
            settings_.forces[k].spec().n_types,
            kernels_[k].columns.data(),
            force,
            sums};
}

/// One potential's forces, or with `sums` its sums alone.
template <class T>
void FlatPairForces<T>::run(std::size_t k, const FlatParticles<T>& of, const FixedForces& force,
                            PairSums* sums) {
    const auto modifier = static_cast<int>(settings_.forces[k].modifier());
    const auto kernel = kernels_[k].table->kernel[modifier][sums != nullptr ? 1 : 0];
    kernel(queue_, of.lanes, n_, job_of(k, of, force, sums));
}

/// The forces of the potential `k`, on hosts with those that follow; returns the next one.
template <class T>
std::size_t FlatPairForces<T>::run_from(std::size_t k, const FlatParticles<T>& of,
                                        const FixedForces& force) {
    if (k + 1 == kernels_.size() || queue_.backend() != device::Backend::host) {
        run(k, of, force, nullptr);
        return k + 1;
    }
    FlatPotentials<T> together;
    for (; k < kernels_.size() && together.count < together.most; ++k) {
        const auto& one = settings_.forces[k];
        together.add(kernels_[k].table->pass[static_cast<int>(one.modifier())],
                     job_of(k, of, force, nullptr), one.r_cut_max());
    }
    device::team_for(queue_, "pair forces", device::TeamPolicy{n_, of.lanes, 0}, together);
    return k;
}

/// Kernel of the first potential with the charges, or null where charges are computed apart.
template <class T>
ChargedLaneKernel<T> FlatPairForces<T>::charged_kernel() const {
    if (!settings_.charges_with_first()) return nullptr;
    const auto modifier = static_cast<int>(settings_.forces[0].modifier());
    return kernels_[0]
        .table->charged[modifier][static_cast<int>(settings_.nonbonded->spec().coulomb)];
}

template <class T>
void FlatPairForces<T>::add(const FlatParticles<T>& of, const FixedForces& force) {
    const auto charged = charged_kernel();
    if (charged != nullptr)
        charged(queue_, of.lanes, n_, job_of(0, of, force, nullptr), nonbonded_->job(of));
    for (std::size_t k = charged != nullptr ? 1 : 0; k < kernels_.size();)
        k = run_from(k, of, force);
    if (nonbonded_ && charged == nullptr) nonbonded_->forces(queue_, of, force);
}

template <class T>
void FlatPairForces<T>::write_sums(const FlatParticles<T>& of, EnergyVirial* to) {
    const auto total = [&]<class Value, class Read>(Value* out, const Read& read) {
        device::parallel_reduce<Value>(queue_, "potential", n_, Value{}, read, device::Sum{}, out);
    };
    sums_.resize(queue_, n_);
    auto* const of_one = reinterpret_cast<PairSums*>(total_.data());
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
        run(k, of, {}, sums_.data());
        total(of_one, ReadPairSums{sums_.data()});
        device::parallel_for(queue_, "store sums", 1, TakePairSums{of_one, to++});
    }
    if (!nonbonded_) return;
    nonbonded_sums_.resize(queue_, n_);
    nonbonded_->sums(queue_, of, nonbonded_sums_.data());
    total(total_.data(), ReadNonbondedSums{nonbonded_sums_.data()});
    device::parallel_for(queue_, "store sums", 1,
                         TakeNonbondedSums{total_.data(), nonbonded_->self_energy(), to});
}

template <class T>
std::vector<EnergyVirial> FlatPairForces<T>::of_particles(const FlatParticles<T>& of) {
    std::vector<EnergyVirial> sums(static_cast<std::size_t>(n_));
    const auto give = [](EnergyVirial& to, const PairSums& part) {
        to += EnergyVirial{part.energy, part.virial};
    };
    sums_.resize(queue_, n_);
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
        run(k, of, {}, sums_.data());
        const auto found = download(queue_, sums_);
        for (std::size_t i = 0; i < sums.size(); ++i) give(sums[i], found[i]);
    }
    if (nonbonded_) {
        nonbonded_sums_.resize(queue_, n_);
        nonbonded_->sums(queue_, of, nonbonded_sums_.data());
        const auto found = download(queue_, nonbonded_sums_);
        for (std::size_t i = 0; i < sums.size(); ++i)
            give(sums[i], found[i].vdw), give(sums[i], found[i].coulomb);
    }
    return sums;
}

template class FlatPairForces<float>;
template class FlatPairForces<double>;

}  // namespace aureole::md
