// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/lists/flat_lists.hpp"

// Forces of pairs and of bonded terms.
namespace aureole::md {

template <class T>
void FlatLists<T>::pair_forces() {
    pair_forces_.write(flat_particles(), force_.data(), nullptr);
}

template <class T>
EnergyVirial* FlatLists<T>::pair_forces_and_sums(EnergyVirial* to) {
    pair_forces_.write(flat_particles(), force_.data(), to);
    return to + pair_forces_.terms();
}

template <class T>
EnergyVirial* FlatLists<T>::add_bonded(EnergyVirial* to) {
    const auto* position = system().particles.position.data();
    topology_.bonded.add_to(force_.data(), context_.box(), position);
    if (to == nullptr) return nullptr;
    topology_.bonded.sums(context_.box(), position, to);
    return to + topology_.bonded.terms();
}

template <class T>
ParticleSums FlatLists<T>::particle_sums() {
    return context_.with_other_terms(pair_forces_.of_particles(flat_particles()));
}

}  // namespace aureole::md
