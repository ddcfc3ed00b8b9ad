// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "md/lists/lane_lists.hpp"

// Forces of pairs and of bonded terms.
namespace aureole::md {

template <class T>
void LaneLists<T>::run_force(std::size_t k, bool energy, PairSums* sums) {
    const auto& force = system().forces[k];
    const auto kernel = tables_[k].kernels->kernel[static_cast<int>(force.modifier())][energy];
    kernel(queue(), lanes_, system().particles.n,
           LaneJob<T>{site_.data(), list(), Images<T>(system().box), tables_[k].rows.data(),
                      force.spec().n_types, k > 0, force_.data(), sums});
}

template <class T>
void LaneLists<T>::pair_forces() {
    for (std::size_t k = 0; k < tables_.size(); ++k) run_force(k, false, nullptr);
    if (nonbonded_)
        nonbonded_->forces(queue(), lane_particles(), !tables_.empty(), force_.data());
    else if (tables_.empty())
        device::fill(queue(), force_.view(), core::Vec3<T>{});
}

template <class T>
std::vector<EnergyVirial> LaneLists<T>::pair_forces_and_sums() {
    pair_forces();
    std::vector<EnergyVirial> out;
    pair_sums_.resize(queue(), system().particles.n);
    for (std::size_t k = 0; k < tables_.size(); ++k) {
        run_force(k, true, pair_sums_.data());
        const auto all =
            context_.template reduced<PairSums>("potential", ReadPairSums{pair_sums_.data()});
        out.push_back({all.energy, all.virial});
    }
    if (nonbonded_) {
        nonbonded_sums_.resize(queue(), system().particles.n);
        nonbonded_->sums(queue(), lane_particles(), nonbonded_sums_.data());
        const auto all = context_.template reduced<NonbondedPairSums>(
            "potential", ReadNonbondedSums{nonbonded_sums_.data()});
        out.push_back({all.vdw.energy, all.vdw.virial});
        out.push_back({all.coulomb.energy + nonbonded_->self_energy(), all.coulomb.virial});
    }
    return out;
}

template <class T>
void LaneLists<T>::add_bonded(std::vector<EnergyVirial>* sums) {
    const auto* position = system().particles.position.data();
    bonded_.add_to(force_.data(), system().box, position);
    if (sums != nullptr) *sums = bonded_.sums(system().box, position);
}

template <class T>
ParticleSums LaneLists<T>::particle_sums() {
    const auto n = static_cast<std::size_t>(system().particles.n);
    ParticleSums sums{std::vector<double>(n, 0.0), std::vector<core::Sym3d>(n)};
    const auto add = [&](std::size_t i, const PairSums& of) {
        sums.energy[i] += of.energy, sums.virial[i] += of.virial;
    };
    pair_sums_.resize(queue(), system().particles.n);
    for (std::size_t k = 0; k < tables_.size(); ++k) {
        run_force(k, true, pair_sums_.data());
        const auto found = download(queue(), pair_sums_);
        for (std::size_t i = 0; i < n; ++i) add(i, found[i]);
    }
    if (nonbonded_) {
        nonbonded_sums_.resize(queue(), system().particles.n);
        nonbonded_->sums(queue(), lane_particles(), nonbonded_sums_.data());
        const auto found = download(queue(), nonbonded_sums_);
        for (std::size_t i = 0; i < n; ++i) add(i, found[i].vdw), add(i, found[i].coulomb);
    }
    add_particle_sums(system().bonded, system().box, download(queue(), system().particles.position),
                      download_tags(queue(), system().particles), sums.energy, sums.virial);
    return sums;
}

}  // namespace aureole::md
