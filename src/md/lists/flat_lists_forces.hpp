// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "md/lists/flat_lists.hpp"
#include "md/lists/term_forces.hpp"

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
    ExcludedJob excluded;
    if constexpr (std::is_same_v<T, float>)
        if (tiles_) excluded = tiles_->forces.excluded(flat_particles(), force_.view());
    const auto& jobs = topology_.bonded.jobs(force_.view(), context_.box(), position);
    for (const auto& job : jobs)
        add_term_forces(queue, job, &job == &jobs.back() ? excluded : ExcludedJob{});
    if (jobs.empty() && excluded.n > 0) add_term_forces(queue, TermJob<T>{}, excluded);
    if (to == nullptr) return nullptr;
    topology_.bonded.sums(queue, context_.box(), position, to);
    return to + topology_.bonded.terms();
}

/// Rows of the present neighbours for sums of single particles, which tiles do not have.
template <class T>
void FlatLists<T>::list_all_neighbours() {
    auto& p = system().particles;
    pair_forces_.load_particles(p, p.n, site_.data());
    const SearchOrder order{p.n, nullptr};
    do {
        BeginList<T> first{};
        first.report = context_.list_report(), first.filler = site_.data() + filler();
        bounds_.find(queue(), first, order, site_.data(), nullptr);
        auto search = flat_search(order);
        search.limit = nullptr, search.shifts = LatticeShifts<T>(system().box);
        search.images = Images<T>(system().box);
        search_rows(search, p.n);
        const auto needed = context_.read_rows_needed()[0];
        if (needed > 0) stride_ = row_of(needed);
    } while (rows_were_short());
}

template <class T>
ParticleSums FlatLists<T>::particle_sums() {
    if constexpr (std::is_same_v<T, float>)
        if (tiles_) list_all_neighbours();
    return context_.with_other_terms(pair_forces_.of_particles(flat_particles()));
}

}  // namespace aureole::md
