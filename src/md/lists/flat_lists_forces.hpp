// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"
#include "md/lists/flat_lists.hpp"

// Forces of pairs and of bonded terms.
namespace aureole::md {

template <class T>
void FlatLists<T>::pair_forces() {
    if constexpr (std::is_same_v<T, float>)
        if (tiles_) return tiles_->forces.add(tile_job(), flat_particles());
    pair_forces_.add(flat_particles(), force_.view());
}

template <class T>
EnergyVirial* FlatLists<T>::pair_forces_and_sums(EnergyVirial* to) {
    force_.clear(queue());
    return pair_forces_and_virial(to);
}

template <class T>
EnergyVirial* FlatLists<T>::pair_forces_and_virial(EnergyVirial* to) {
    pair_forces();
    if constexpr (std::is_same_v<T, float>)
        if (tiles_) tiles_->forces.write_sums(tile_job(), flat_particles(), to);
    if (!tiles_) pair_forces_.write_sums(flat_particles(), to);
    return to + pair_forces_.terms();
}

template <class T>
EnergyVirial* FlatLists<T>::add_bonded(device::Queue& queue, EnergyVirial* to) {
    const auto* position = system().particles.position.data();
    topology_.bonded.add_to(queue, force_.view(), context_.box(), position);
    if (to == nullptr) return nullptr;
    topology_.bonded.sums(queue, context_.box(), position, to);
    return to + topology_.bonded.terms();
}

template <class T>
ParticleSums FlatLists<T>::particle_sums() {
    if (tiles_)
        throw core::InputError("tiles cannot tell the energies of single particles",
                               "they have each pair once", "Choose algorithm=\"flat\".");
    return context_.with_other_terms(pair_forces_.of_particles(flat_particles()));
}

}  // namespace aureole::md
