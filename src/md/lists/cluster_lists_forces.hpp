// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/lists/cluster_lists.hpp"

// Forces of pairs and of bonded terms.
namespace aureole::md {

template <class T>
EnergyVirial ClusterLists<T>::run_force(std::size_t k, KernelVariant variant) {
    const auto& force = system().forces[k];
    const int several = force.spec().n_types > 1 ? 1 : 0;
    const auto kernel = tables_[k].kernels->kernel[static_cast<int>(force.modifier())][several]
                                                  [static_cast<int>(variant)];
    const PairTables<T> tables{tables_[k].rows.data(), force.spec().n_types};
    return pairs_.run(kernel, tables);
}

template <class T>
void ClusterLists<T>::pair_forces() {
    for (std::size_t k = 0; k < tables_.size(); ++k) run_force(k, KernelVariant::force);
    if (!nonbonded_) return;
    nonbonded_->run(pairs_, KernelVariant::force);
    far_exclusions_->add(queue(), system().box, system().particles, pairs_);
}

template <class T>
std::vector<EnergyVirial> ClusterLists<T>::pair_forces_and_sums() {
    std::vector<EnergyVirial> sums;
    device::fill(queue(), pairs_.force(), T(0));
    for (std::size_t k = 0; k < tables_.size(); ++k)
        sums.push_back(run_force(k, KernelVariant::force_energy));
    if (nonbonded_) {
        const auto total = nonbonded_->run(pairs_, KernelVariant::force_energy);
        sums.push_back(total.vdw), sums.push_back(total.coulomb);
        sums.back().energy += nonbonded_->self_energy();
        sums.back() += far_exclusions_->add(queue(), system().box, system().particles, pairs_);
    }
    return sums;
}

/// Without the energies of pairs of molecules, which cost as much again.
template <class T>
core::Sym3d ClusterLists<T>::pair_forces_and_virial() {
    if (!nonbonded_ || !tables_.empty()) return virial_of(pair_forces_and_sums());
    const auto shifts = nonbonded_->run_for_virial(pairs_);
    auto virial = context_.template reduced<core::Sym3d>("moments", SumMoments<Packed<T>>{place()});
    for (int s = 0; s < shift_count; ++s) {
        const auto n = lattice_of_shift(s);
        virial += symmetric_outer(system().box.lattice(n.x, n.y, n.z), shifts.of[s]);
    }
    return virial + far_exclusions_->add(queue(), system().box, system().particles, pairs_).virial;
}

/// The mesh reaches every particle; each thread's blocks hold what it gives to its share of them.
template <class T>
ForceSink<T> ClusterLists<T>::mesh_sink() {
    return ForceSink<T>::blocks(pairs_.force().data, pairs_.slot().data, pairs_.force_stride());
}

template <class T>
void ClusterLists<T>::add_bonded(std::vector<EnergyVirial>* sums) {
    bonded_.add_to(force_blocks(), system().box, system().particles.position.data(), sums);
}

template <class T>
ParticleSums ClusterLists<T>::particle_sums() {
    const auto n = static_cast<std::size_t>(system().particles.n);
    ParticleSums sums{std::vector<double>(n, 0.0), std::vector<core::Sym3d>(n)};
    device::host_task(
        queue(), "particle sums",
        [&, x = pairs_.coordinates().data, r = system().particles.position.data(),
         type = pairs_.types().data,
         charge = system().particles.charge.size() > 0 ? system().particles.charge.data() : nullptr,
         slot = pairs_.slot().data](device::ThreadPool&) {
            std::vector<std::int64_t> particle(static_cast<std::size_t>(pairs_.clusters()) * 4, -1);
            for (std::size_t i = 0; i < n; ++i) particle[slot[i]] = static_cast<std::int64_t>(i);
            const auto at = [x](std::int32_t s) {
                return Vec3d{double(x[block_index(s, 0)]), double(x[block_index(s, 1)]),
                             double(x[block_index(s, 2)])};
            };
            pairs_.for_each_pair(
                [&](std::int32_t si, std::int32_t sj, std::int32_t shift, bool meet) {
                    const auto i = particle[si], j = particle[sj];
                    if (i < 0 || j < 0) return;
                    const auto s = lattice_of_shift(shift);
                    const auto d = at(si) + system().box.lattice(s.x, s.y, s.z) - at(sj);
                    const double r2 = dot(d, d);
                    const auto add = [&](const PairValue<double>& pair) {
                        const auto virial = core::outer(0.5 * pair.force_over_r, d);
                        sums.energy[i] += 0.5 * pair.energy, sums.energy[j] += 0.5 * pair.energy;
                        sums.virial[i] += virial, sums.virial[j] += virial;
                    };
                    if (meet)
                        for (const auto& force : system().forces)
                            add(force.evaluate(type[si], type[sj], r2));
                    if (system().nonbonded) {
                        const double qq = charge != nullptr ? charge[i] * charge[j] : 0;
                        const auto value =
                            system().nonbonded->evaluate(type[si], type[sj], qq, r2, !meet);
                        add(value.vdw), add(value.coulomb);
                    }
                });
            if (!far_exclusions_) return;
            std::vector<EnergyVirial> of_far(n);
            far_exclusions_->add_shares(system().box, r, pairs_, of_far);
            for (std::size_t i = 0; i < n; ++i)
                sums.energy[i] += of_far[i].energy, sums.virial[i] += of_far[i].virial;
        });
    queue().synchronize();
    add_particle_sums(system().bonded, system().box, download(queue(), system().particles.position),
                      download_tags(queue(), system().particles), sums.energy, sums.virial);
    return sums;
}

}  // namespace aureole::md
