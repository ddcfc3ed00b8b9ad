// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/launch.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/integrate/read.kernel.hpp"
#include "md/lists/cluster_lists.hpp"

// Forces of pairs and of bonded terms.
namespace aureole::md {

template <class T>
void ClusterLists<T>::pair_forces() {
    pair_forces_.add(system().box, system().particles, pairs_, PairWant::forces);
}

template <class T>
EnergyVirial* ClusterLists<T>::upload_sums(const std::vector<EnergyVirial>& sums,
                                           EnergyVirial* to) {
    const auto n = static_cast<std::int64_t>(sums.size());
    device::copy_from_host(queue(), device::View<EnergyVirial>{to, n}, sums.data());
    return to + n;
}

template <class T>
EnergyVirial* ClusterLists<T>::pair_forces_and_sums(EnergyVirial* to) {
    const auto sums = pair_forces_.add(system().box, system().particles, pairs_, PairWant::terms);
    return upload_sums(sums, to);
}

template <class T>
EnergyVirial* ClusterLists<T>::pair_forces_and_virial(EnergyVirial* to) {
    const auto sums = pair_forces_.add(system().box, system().particles, pairs_, PairWant::virial);
    return upload_sums(sums, to);
}

/// The mesh acts on every particle; each thread's blocks hold the forces on its partition.
template <class T>
ForceSink<T> ClusterLists<T>::mesh_sink() {
    return ForceSink<T>::blocks(pairs_.force().data, pairs_.slot().data, pairs_.force_stride());
}

template <class T>
EnergyVirial* ClusterLists<T>::add_bonded(device::Queue&, EnergyVirial* to) {
    std::vector<EnergyVirial> sums;
    topology_.bonded.add_to(force_blocks(), system().box, system().particles.position.data(),
                            to != nullptr ? &sums : nullptr);
    return to != nullptr ? upload_sums(sums, to) : nullptr;
}

template <class T>
void ClusterLists<T>::save_forces() {
    const auto n = system().particles.n;
    saved_force_.resize(queue(), n);
    device::parallel_for(queue(), "forces", n,
                         ReadForces<Packed<T>>{layout(), saved_force_.data()});
}

template <class T>
void ClusterLists<T>::return_to_saved_forces() {
    device::parallel_for(queue(), "set forces", system().particles.n,
                         SetForces<Packed<T>>{saved_force_.data(), layout()});
}

template <class T>
ParticleSums ClusterLists<T>::particle_sums() {
    return context_.with_other_terms(
        pair_forces_.of_particles(system().box, system().particles, pairs_));
}

}  // namespace aureole::md
