// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform.hpp"
#include "core/simd_math.hpp"
#include "md/pair/packed_tiles.kernel.hpp"
#include "md/pair/tile_charges.kernel.hpp"
#include "md/pair/tile_force.kernel.hpp"
#include "md/pair/tile_parameters.kernel.hpp"

// The pair kernel of processors.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Values of the columns that a leaf reads for the pairs of a tile; the i side is the same in all
/// tiles of an entry.
template <class P, class T>
struct TileColumns {
    using Values = ColumnValues<Tile<T>, LeafReads<P>>;

    AUREOLE_FN static const T* of(const ClusterJob<T>& job, std::int32_t cluster) {
        return job.columns + static_cast<std::int64_t>(cluster) * numbers_read<P> * cluster_size;
    }
    AUREOLE_FN static Values of_i(const ClusterJob<T>& job, std::int32_t cluster) {
        Values values;
        if constexpr (reads_columns<P>)
            for (int k = 0; k < numbers_read<P>; ++k)
                values.value[k] = Tile<T>::spread4(of(job, cluster) + cluster_size * k);
        return values;
    }
    AUREOLE_FN static PairOf<P, Tile<T>> pair(const TileSeparation<T>& d, const Values& i,
                                              const ClusterJob<T>& job, std::int32_t cj) {
        Values j;
        if constexpr (reads_columns<P>)
            for (int k = 0; k < numbers_read<P>; ++k)
                j.value[k] = Tile<T>::repeat4(of(job, cj) + cluster_size * k);
        return pair_of<P, Tile<T>>({d.x, d.y, d.z}, d.r2, i, j);
    }
};

/// A potential's kernel, and that of charges in one with it.
template <class P, Modifier modifier, TypeCount types, KernelVariant variant, class T,
          class Charges = NoCharges<T>>
struct ClusterPairKernel {
    static constexpr bool energy = variant == KernelVariant::force_energy;
    using Force = TileForce<T, wide_reactions<T>>;
    using Columns = TileColumns<P, T>;
    /// Plain forces need no more of the cut-off than where it is.
    static constexpr bool all_rows = energy || modifier != Modifier::none || reads_columns<P>;
    static constexpr int rows_read = static_cast<int>(coefficient_count<P>) + (all_rows ? 6 : 1);
    using Parameters = TileParameters<P, T, types, rows_read>;
    using Job = typename Charges::Job;
    using Sums = typename Charges::Sums;

    /// The i side of an entry.
    struct OfI {
        typename Columns::Values columns;
        typename Charges::OfI charges;
        typename Parameters::OfI parameters;
    };

    Job& job;
    const Parameters parameters;
    const Charges charges;

    explicit ClusterPairKernel(Job& of) : job(of), parameters(of.tables), charges(of) {}

    AUREOLE_FN const T* x_of(std::int32_t c) const {
        return job.x + static_cast<std::int64_t>(c) * block_size;
    }
    AUREOLE_FN T* force_of(std::int32_t c) const {
        return job.force + static_cast<std::int64_t>(c) * block_size;
    }

    /// Forces of one tile, and the wanted sums; `masked` where some of its pairs are excluded or
    /// not counted.
    template <bool masked>
    AUREOLE_FN Force tile(TileSeparation<T> d, const OfI& of_i, std::int32_t ci, std::int32_t cj,
                          TilePairs which, Sums& sums) {
        const auto& p = parameters.of(of_i.parameters, job.type + 4 * ci, job.type + 4 * cj);
        if constexpr (masked && Charges::any) {  // excluded pairs may lie on top of each other
            const auto interact = TileMask<T>::from_bits(which.interact);
            const Tile<T> least(T(1e-12));
            d.r2 = max(d.r2, least - zero_unless(interact, least));
        }
        const auto pair = Columns::pair(d, of_i.columns, job, cj);
        auto within = d.r2 < p.cut.r_cut2;
        if constexpr (masked)
            within = within & TileMask<T>::from_bits(which.interact & which.counted);
        Tile<T> f;
        if constexpr (energy) {
            const auto value = evaluate<P, modifier, Tile<T>>(pair, p.c, p.cut);
            sums.potential.energy = sums.potential.energy + zero_unless(within, value.energy);
            f = zero_unless(within, value.force_over_r);
        } else {
            f = zero_unless(within, evaluate_force<P, modifier, Tile<T>>(pair, p.c, p.cut));
        }
        if constexpr (Charges::any) {
            if constexpr (energy) sums.potential.add_virial(f, d);
            f = f + charges.template force<masked>(job, d, of_i.charges, cj, which, sums);
        }
        const Force force(f, d);
        force.act(sums.fx, sums.fy, sums.fz);
        if constexpr (energy && !Charges::any) sums.potential.add_virial(f, d);
        return force;
    }

    template <Shift shift>
    AUREOLE_FN void entry(const ClusterEntry& e) {
        const std::int32_t ci = e.cluster;
        const std::int32_t* j = job.list.j;
        const TileRows<T, shift> rows(x_of(ci), job.shift[e.shift], job.shift_rest[e.shift]);
        const OfI of_i{Columns::of_i(job, ci), Charges::of_i(job, ci),
                       parameters.of_i(job.type + 4 * ci)};
        Sums sums;
        const auto whole = core::small_kernels ? e.end : job.list.first_whole(e);
        for (std::int32_t k = e.begin; k < whole; ++k)
            tile<true>(TileSeparation<T>(rows, x_of(j[k])), of_i, ci, j[k], job.list.pairs_of(e, k),
                       sums)
                .react(job, j[k]);
        if constexpr (!core::small_kernels)
            for_tiles(job, rows, whole, e.end, [&](const TileSeparation<T>& d, std::int32_t cj) {
                return tile<false>(d, of_i, ci, cj, {all_bits, all_bits}, sums);
            });
        T* fi = force_of(ci);
        (Tile<T>::load(fi) + core::sums_over_columns(sums.fx, sums.fy, sums.fz)).store(fi);
        if constexpr (energy) sums.potential.flush(job.total);
        if constexpr (energy && Charges::any) sums.coulomb.flush(job.coulomb);
    }

    static void run(Job& job) {
        ClusterPairKernel kernel(job);
        for (std::int32_t e = 0; e < job.list.n_entries; ++e) {
            const auto& one = job.list.entries[e];
            if (!core::small_kernels && !energy && one.shift == central_shift)
                kernel.template entry<Shift::none>(one);
            else
                kernel.template entry<Shift::exact>(one);
        }
    }
};

template <class P, class T>
struct ClusterKernels {
    using enum KernelVariant;

    /// Kernels for a few types are those that most steps of most liquids run.
    template <Modifier m, KernelVariant v, TypeCount types>
    static constexpr bool has_own =
        v == force && !core::few_kernels && !core::small_kernels &&
        (types == TypeCount::one || (m == Modifier::none && core::squares_look_up<T>));
    template <Modifier m, KernelVariant v, TypeCount types>
    static constexpr ClusterKernel<T> one =
        &ClusterPairKernel<P, m, has_own<m, v, types> ? types : TypeCount::any, v, T>::run;
    template <Modifier m, Coulomb coulomb, KernelVariant v>
    static constexpr ChargedKernel<T> with_charges =
        &ClusterPairKernel<P, m, TypeCount::any, v, T,
                           TileCharges<coulomb, v == force_energy, T>>::run;
    template <Modifier m, Coulomb coulomb>
    static constexpr void fill_charged(ClusterKernelTable<T>& table) {
        auto& k = table.charged[static_cast<int>(m)][static_cast<int>(coulomb)];
        k[0] = with_charges<m, coulomb, force>, k[1] = with_charges<m, coulomb, force_energy>;
    }
    template <Modifier m>
    static constexpr void fill(ClusterKernelTable<T>& table) {
        const auto fill_types = [&]<TypeCount types>() {
            auto& k = table.kernel[static_cast<int>(m)][static_cast<int>(types)];
            k[0] = one<m, force, types>, k[1] = one<m, force_energy, types>;
        };
        fill_types.template operator()<TypeCount::one>();
        fill_types.template operator()<TypeCount::four>();
        fill_types.template operator()<TypeCount::eight>();
        fill_types.template operator()<TypeCount::any>();
        if constexpr (charged_kernels<m, T>) {
            fill_charged<m, Coulomb::reaction_field>(table);
            fill_charged<m, Coulomb::ewald>(table);
        }
    }
    static constexpr ClusterKernelTable<T> make() {
        ClusterKernelTable<T> table{};
        fill<Modifier::none>(table), fill<Modifier::xplor>(table);
        fill<Modifier::force_shift>(table);
        return table;
    }
    /// Elsewhere a kernel for the potential and one for the charges have to do, so that leaf files
    /// compile fast.
    template <Modifier m, class Number>
    static constexpr bool charged_kernels = !core::few_kernels && !core::small_kernels &&
                                            m == Modifier::none && sizeof(Number) == sizeof(float);
};

template <class P>
constexpr TileKernelTable tile_kernel_table() {
    TileKernelTable table{};
    const auto fill = [&]<Modifier m>() {
        auto& k = table.tiles[static_cast<int>(m)];
        k[0] = &packed_tiles<PotentialPairs<P, m, false, PackLanes>>;
        k[1] = &packed_tiles<PotentialPairs<P, m, true, PackLanes>>;
    };
    if constexpr (!reads_columns<P> && !core::small_kernels) {
        fill.template operator()<Modifier::none>();
        fill.template operator()<Modifier::xplor>();
        fill.template operator()<Modifier::force_shift>();
    }
    return table;
}

/// The kernels of one potential, as the generated unit of its leaf file registers them.
template <class P>
PotentialKernels cluster_kernels() {
    static constexpr auto mixed = ClusterKernels<P, float>::make();
    static constexpr auto full = ClusterKernels<P, double>::make();
    static constexpr auto tiles = tile_kernel_table<P>();
    return {&mixed, &full, &tiles};
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
