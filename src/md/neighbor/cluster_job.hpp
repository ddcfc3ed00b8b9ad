// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "md/neighbor/cluster_layout.hpp"

namespace aureole::md {

/// Energy and virial, which a kernel sums in addition to forces.
struct EnergyVirial {
    double energy = 0;
    core::Sym3d virial{};  ///< Σ pairs r ⊗ F

    AUREOLE_FN EnergyVirial& operator+=(const EnergyVirial& o) {
        energy += o.energy;
        virial += o.virial;
        return *this;
    }
    AUREOLE_FN friend EnergyVirial operator+(EnergyVirial a, const EnergyVirial& b) {
        return a += b;
    }
};

/// Tables [n_types²] of a potential in the kernel's precision, one row per coefficient and then the
/// members of CutOff in their order. Kernels read up to `over_read` numbers behind the last.
template <class T>
struct PairTables {
    static constexpr std::size_t over_read = 16;

    const T* rows;
    std::int32_t n_types;

    const T* row(int k) const { return rows + static_cast<std::int64_t>(k) * n_types * n_types; }
    /// Where the numbers of four types with all types begin in a row.
    AUREOLE_FN std::array<std::int32_t, 4> starts(const std::int32_t* type) const {
        return {type[0] * n_types, type[1] * n_types, type[2] * n_types, type[3] * n_types};
    }
};

/// One partition of a force evaluation over clusters.
template <class T>
struct ClusterWork {
    const T* x;                ///< coordinate blocks
    const std::int32_t* type;  ///< [slots]
    T* force;                  ///< this thread's force blocks, added to
    T* reaction;               ///< this thread's reactions on j sides (`ReactionKernel`), added to
    ClusterListView list;
    const core::Vec3<T>* shift;       ///< [shift_count]
    const core::Vec3<T>* shift_rest;  ///< [shift_count] their rounding errors
};

/// One partition of the forces of one potential over clusters.
template <class T>
struct ClusterJob : ClusterWork<T> {
    PairTables<T> tables;
    const T* columns{nullptr};  ///< [clusters][numbers that the potential reads][4]
    EnergyVirial total{};       ///< out
};

/// Dynamic pruning: keeps the tiles whose pairs may come within the cut-off before the list is
/// renewed.
template <class T>
struct PruneJob {
    const T* x;  ///< coordinate blocks; row s says how far each particle may go
    ClusterListView list;
    const core::Vec3<T>* shift;
    T r_cut;
    T uniform;              ///< limit of all particles; negative: each has its own
    ClusterEntry* entries;  ///< room for all of `list`
    std::int32_t* j;        ///< room for one more than all of `list`
    TileBits* bits;         ///< room for one more than those of `list`
    std::int32_t n_entries = 0, n_j = 0, n_bits = 0;  ///< out
};

enum class KernelVariant { force, force_energy, count };

/// How many types of particle a kernel is for, at most.
enum class TypeCount { one, four, eight, any, count };
constexpr TypeCount type_count(int n_types) {
    using enum TypeCount;
    return n_types == 1 ? one : n_types <= 4 ? four : n_types <= 8 ? eight : any;
}

template <class T>
using ClusterKernel = void (*)(ClusterJob<T>&);
template <class T>
using PruneKernel = void (*)(PruneJob<T>&);

template <class T>
struct ChargedJob;
template <class T>
using ChargedKernel = void (*)(ChargedJob<T>&);

/// All kernels of one potential for one instruction set: [modifier][types][variant].
template <class T>
struct ClusterKernelTable {
    ClusterKernel<T> kernel[3][static_cast<int>(TypeCount::count)]
                           [static_cast<int>(KernelVariant::count)];
    /// With charges: [modifier][kind of electrostatics][variant]; null where two kernels have to
    /// do, one for the potential and one for the charges.
    ChargedKernel<T> charged[3][2][static_cast<int>(KernelVariant::count)];
};

struct PotentialTileJob;  // md/pair/tile_job.hpp
/// Tiles of a list, on processors: [modifier][energy]; null where a leaf reads columns.
struct TileKernelTable {
    void (*tiles[3][2])(const PotentialTileJob&, std::int64_t begin, std::int64_t end);
};

struct PotentialKernels {
    const ClusterKernelTable<float>* mixed;
    const ClusterKernelTable<double>* full;
    const TileKernelTable* of_tiles;
};

}  // namespace aureole::md
