// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/lists/cluster_lists.hpp"

// Forces of pairs and of bonded terms.
namespace aureole::md {

template <class T>
void ClusterLists<T>::pair_forces() {
    pair_forces_.add(system().box, system().particles, pairs_, PairWant::forces);
}

template <class T>
std::vector<EnergyVirial> ClusterLists<T>::pair_forces_and_sums() {
    return pair_forces_.add(system().box, system().particles, pairs_, PairWant::terms);
}

template <class T>
core::Sym3d ClusterLists<T>::pair_forces_and_virial() {
    return virial_of(pair_forces_.add(system().box, system().particles, pairs_, PairWant::virial));
}

/// The mesh reaches every particle; each thread's blocks hold what it gives to its share of them.
template <class T>
ForceSink<T> ClusterLists<T>::mesh_sink() {
    return ForceSink<T>::blocks(pairs_.force().data, pairs_.slot().data, pairs_.force_stride());
}

template <class T>
void ClusterLists<T>::add_bonded(std::vector<EnergyVirial>* sums) {
    topology_.bonded.add_to(force_blocks(), system().box, system().particles.position.data(), sums);
}

template <class T>
ParticleSums ClusterLists<T>::particle_sums() {
    return context_.with_bonded(
        pair_forces_.of_particles(system().box, system().particles, pairs_));
}

}  // namespace aureole::md
