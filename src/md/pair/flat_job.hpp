// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/queue.hpp"
#include "md/box/of_box.hpp"
#include "md/box/step_state.hpp"
#include "md/neighbor/cluster_job.hpp"
#include "md/neighbor/flat_list.kernel.hpp"
#include "md/particles/fixed_forces.hpp"

namespace aureole::md {

/// Energy and virial Σ r ⊗ F of pairs, half of every pair's to each particle.
struct PairSums {
    double energy = 0;
    core::Sym3d virial{};

    AUREOLE_FN friend PairSums operator+(PairSums a, const PairSums& b) {
        a.energy += b.energy;
        a.virial += b.virial;
        return a;
    }
};

/// Reads the sums of a particle, for the total of all.
struct ReadPairSums {
    using device_kernel = void;
    const PairSums* from;

    AUREOLE_FN PairSums operator()(std::int64_t i) const { return from[i]; }
};

/// Writes the total of one potential.
struct TakePairSums {
    using device_kernel = void;
    const PairSums* from;
    EnergyVirial* to;

    AUREOLE_FN void operator()(std::int64_t) const { *to = {from->energy, from->virial}; }
};

/// Whether a list was outrun earlier in the segment, which will be made again up to there: nobody
/// needs forces now.
AUREOLE_FN bool has_expired(const std::int64_t* expired_at) {
    return expired_at != nullptr && *expired_at != StepState::never;
}

/// One potential's work over the full list of neighbours.
template <class T>
struct FlatJob {
    const Site<T>* site;
    FlatList list;
    OfBox<Images<T>> images;
    const std::int64_t* expired_at;  ///< of the segment's state; null: the list cannot expire
    const T* tables;                 ///< device memory: rows as in PairTables
    std::int32_t n_types;
    const T* columns;   ///< [n][numbers that the potential reads]
    FixedForces force;  ///< of kernels without energy
    PairSums* sums;     ///< [n], of kernels with it

    AUREOLE_FN bool is_void() const { return has_expired(expired_at); }
};

/// Enqueues a kernel with teams of `lanes` for `n` particles.
template <class T>
using FlatKernel = void (*)(device::Queue&, int lanes, std::int64_t n, const FlatJob<T>&);

template <class T>
struct FlatNonbondedJob;
template <class T>
using ChargedLaneKernel = void (*)(device::Queue&, int lanes, std::int64_t n, const FlatJob<T>&,
                                   const FlatNonbondedJob<T>&);

template <class T>
struct Neighbour;
/// Adds the forces on a particle from neighbours that were found for several potentials.
template <class T>
using FlatPass = void (*)(const FlatJob<T>&, std::int64_t i, const Neighbour<T>* near, int count,
                          core::Vec3<T>& force);

/// All flat-list kernels of one potential: [modifier][energy]. Those without energy add forces,
/// the others sums.
template <class T>
struct FlatKernelTable {
    FlatKernel<T> kernel[3][2];
    FlatPass<T> pass[3];  ///< [modifier], on hosts
    /// Forces with those of charges: [modifier][kind of electrostatics]; null where two kernels
    /// have to do.
    ChargedLaneKernel<T> charged[3][2];
    /// Tiles on GPUs: [modifier][energy], in mixed precision.
    void (*tiles[3][2])(device::Queue&, const PotentialTileJob&);
};

struct FlatKernels {
    const FlatKernelTable<float>* mixed;
    const FlatKernelTable<double>* full;
};

}  // namespace aureole::md
