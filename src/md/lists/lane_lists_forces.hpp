// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/lists/lane_lists.hpp"

// Forces of pairs and of bonded terms.
namespace aureole::md {

template <class T>
void LaneLists<T>::pair_forces() {
    pair_forces_.add(lane_particles(), force_.data(), PairWant::forces);
}

template <class T>
std::vector<EnergyVirial> LaneLists<T>::pair_forces_and_sums() {
    return pair_forces_.add(lane_particles(), force_.data(), PairWant::terms);
}

template <class T>
void LaneLists<T>::add_bonded(std::vector<EnergyVirial>* sums) {
    const auto* position = system().particles.position.data();
    topology_.bonded.add_to(force_.data(), system().box, position);
    if (sums != nullptr) *sums = topology_.bonded.sums(system().box, position);
}

template <class T>
ParticleSums LaneLists<T>::particle_sums() {
    return context_.with_bonded(pair_forces_.of_particles(lane_particles()));
}

}  // namespace aureole::md
