// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "md/pair/nonbonded_pair.hpp"
#include "md/pair/tile_force.kernel.hpp"

// Dispersion, repulsion and charges of molecules in one pass over the cluster pairs. Tiles with
// excluded pairs come first in an entry, with one bit per pair that interacts; excluded pairs feel
// the smooth part of the charges only, which reaction field and mesh give to all pairs alike.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// One particle's numbers over a row (i) or a column (j) of the tile.
template <class T>
struct TileNumbers {
    Tile<T> charge, a, b;
};

template <class T>
struct NonbondedSums {
    Tile<T> fx{T(0)}, fy{T(0)}, fz{T(0)};
    TilePotential<T> vdw, coulomb;  ///< kernels with energy
};

template <Coulomb coulomb, VdwEnd end, class Rule, KernelVariant variant, MeshBy mesh_by, class T>
struct ClusterNonbonded {
    static constexpr bool energy = variant == KernelVariant::force_energy;
    using Law = NonbondedLaw<coulomb, end, energy, Tile<T>, mesh_by>;
    using Force = TileForce<T, wide_reactions_of_molecules<T>>;

    NonbondedJob<T>& job;
    const NonbondedNumbers<T> n;
    const Law law;
    const Rule rule;

    explicit ClusterNonbonded(NonbondedJob<T>& of) : job(of), n(*of.numbers), law(n), rule(n) {}

    AUREOLE_FN const T* x_of(std::int32_t c) const {
        return job.x + static_cast<std::int64_t>(c) * block_size;
    }
    AUREOLE_FN const T* own_of(std::int32_t c) const {
        return job.own + static_cast<std::int64_t>(c) * block_size;
    }
    AUREOLE_FN T* force_of(std::int32_t c) const {
        return job.force + static_cast<std::int64_t>(c) * block_size;
    }

    /// Dispersion and repulsion of a tile's pairs.
    AUREOLE_FN auto vdw(Tile<T> r2, Tile<T> inv_r, Tile<T> inv_r2, const TileNumbers<T>& i,
                        std::int32_t ci, std::int32_t cj) const {
        if (rule.mixing == Mixing::table) {
            const std::int32_t *type_i = job.type + 4 * ci, *type_j = job.type + 4 * cj;
            std::int32_t index[16];
            for (int k = 0; k < 16; ++k) index[k] = type_i[k / 4] * n.n_types + type_j[k % 4];
            return law.vdw(r2, inv_r, inv_r2,
                           PowerCoefficients<Tile<T>>{Tile<T>::gather(n.c6, index),
                                                      Tile<T>::gather(n.c12, index)});
        }
        const T* own_j = own_of(cj);
        const auto a_j = Tile<T>::repeat4(own_j + 4), b_j = Tile<T>::repeat4(own_j + 8);
        if (rule.mixing == Mixing::geometric)
            return law.vdw(r2, inv_r, inv_r2, mix<Mixing::geometric>(i.a, i.b, a_j, b_j));
        return law.vdw(r2, inv_r, inv_r2, mix<Mixing::lorentz_berthelot>(i.a, i.b, a_j, b_j));
    }

    /// Forces of one tile; `masked` where some of its pairs are excluded or not counted.
    template <bool masked>
    AUREOLE_FN Force tile(const TileSeparation<T>& d, const TileNumbers<T>& i, std::int32_t ci,
                          std::int32_t cj, TilePairs which, NonbondedSums<T>& sums) const {
        const T* own_j = own_of(cj);
        const auto included = TileMask<T>::from_bits(which.interact);
        // Excluded pairs may lie on top of each other; others have no force there.
        const auto r2 =
            masked ? max(d.r2, Tile<T>(T(1e-12)) - zero_unless(included, Tile<T>(T(1e-12)))) : d.r2;
        auto within = r2 < law.r_coulomb2;
        auto near = rule.one_cut_off ? within : r2 < law.r_vdw2;
        if constexpr (masked) {
            const auto felt = static_cast<TileBits>(which.interact | n.smooth);
            const auto counted = TileMask<T>::from_bits(which.counted);
            within = within & TileMask<T>::from_bits(which.counted & felt);
            near = near & counted & included;
        }
        const std::conditional_t<masked, SomeExcluded<TileMask<T>>, NoneExcluded> excluded{
            included};
        const auto pair = nonbonded_pair<energy>(
            law, rule.one_cut_off,
            PairsAtDistance{r2, near, within, i.charge * Tile<T>::repeat4(own_j)}, excluded,
            [&](Tile<T> inv_r, Tile<T> inv_r2) { return vdw(r2, inv_r, inv_r2, i, ci, cj); });
        if constexpr (energy) {
            add(sums.vdw, pair.energy_of_vdw, pair.of_vdw, d);
            add(sums.coulomb, pair.energy_of_charge, pair.of_charge, d);
        }
        const Force force(pair.force, d);
        force.act(sums.fx, sums.fy, sums.fz);
        return force;
    }

    AUREOLE_FN static void add(TilePotential<T>& to, Tile<T> energy, Tile<T> f,
                               const TileSeparation<T>& d) {
        to.energy = to.energy + energy;
        to.add_virial(f, d);
    }

    template <Shift shift>
    AUREOLE_FN void entry(const ClusterEntry& e) const {
        const std::int32_t ci = e.cluster;
        const std::int32_t* j = job.list.j;
        const TileRows<T, shift> rows(x_of(ci), job.shift[e.shift], job.shift_rest[e.shift]);
        TileNumbers<T> i;
        core::spread_rows(Tile<T>::load(own_of(ci)), i.charge, i.a, i.b);
        NonbondedSums<T> sums;
        const auto whole = core::small_kernels ? e.end : job.list.first_whole(e);
        for (std::int32_t k = e.begin; k < whole; ++k)
            tile<true>(TileSeparation<T>(rows, x_of(j[k])), i, ci, j[k], job.list.pairs_of(e, k),
                       sums)
                .react(job, j[k]);
        if constexpr (!core::small_kernels)
            for_tiles(job, rows, whole, e.end, [&](const TileSeparation<T>& d, std::int32_t cj) {
                return tile<false>(d, i, ci, cj, {all_bits, all_bits}, sums);
            });
        if (!energy && job.shift_forces != nullptr)
            job.shift_forces->of[e.shift] +=
                {static_cast<double>(sum(sums.fx)), static_cast<double>(sum(sums.fy)),
                 static_cast<double>(sum(sums.fz))};
        T* fi = force_of(ci);
        (Tile<T>::load(fi) + core::sums_over_columns(sums.fx, sums.fy, sums.fz)).store(fi);
        if constexpr (energy) {
            sums.vdw.flush(job.total.vdw);
            sums.coulomb.flush(job.total.coulomb);
        }
    }

    static void run(NonbondedJob<T>& job) {
        const ClusterNonbonded kernel(job);
        for (std::int32_t e = 0; e < job.list.n_entries; ++e) {
            const auto& one = job.list.entries[e];
            if (!core::small_kernels && !energy && one.shift == central_shift)
                kernel.template entry<Shift::none>(one);
            else
                kernel.template entry<Shift::exact>(one);
        }
    }
};

template <Coulomb coulomb, VdwEnd end, class Rule, KernelVariant variant, class T>
void run_nonbonded(NonbondedJob<T>& job) {
    const auto with = [&]<MeshBy by>() {
        ClusterNonbonded<coulomb, end, Rule, variant, by, T>::run(job);
    };
    using enum MeshBy;
    if constexpr (coulomb == Coulomb::ewald && variant == KernelVariant::force &&
                  core::Cubics<Tile<T>>::any)
        job.numbers->mesh_cubics.scale > 0 ? with.template operator()<cubics>()
                                           : with.template operator()<quotient>();
    else
        with.template operator()<cubics_if_any>();
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
