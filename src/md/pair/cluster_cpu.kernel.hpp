// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform.hpp"
#include "core/simd_math.hpp"
#include "md/neighbor/cluster_tile.kernel.hpp"
#include "md/pair/potential.hpp"
#include "md/pair/tile_force.kernel.hpp"

// The pair kernel of processors.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Parameters of a tile's pairs: constants for one type, gathered for several.
template <class P, class T, bool several_types>
struct TileParameters {
    Coefficients<Tile<T>, coefficient_count<P>> c;
    CutOff<Tile<T>> cut;

    explicit TileParameters(const PairTables<T>& tables) {
        if constexpr (!several_types) read(tables, [](const T* row) { return Tile<T>(row[0]); });
    }
    AUREOLE_FN void load(const PairTables<T>& tables, const std::int32_t* type_i,
                         const std::int32_t* type_j) {
        if constexpr (several_types) {
            std::int32_t index[16];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    index[4 * i + j] = type_i[i] * tables.n_types + type_j[j];
            read(tables, [&](const T* row) { return Tile<T>::gather(row, index); });
        }
    }

  private:
    template <class Read>
    AUREOLE_FN void read(const PairTables<T>& tables, Read&& one) {
        int k = 0;
        for (auto& coefficient : c) coefficient = one(tables.row(k++));
        cut.r_cut2 = one(tables.row(k));
        cut.switch2 = one(tables.row(k + 1));
        cut.inv_width3 = one(tables.row(k + 2));
        cut.energy = one(tables.row(k + 3));
        cut.slope = one(tables.row(k + 4));
        cut.r_cut = one(tables.row(k + 5));
    }
};

/// What the pairs of a tile have of the columns that a leaf reads: the i side is the same in all
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

template <class P, Modifier modifier, bool several_types, KernelVariant variant, class T>
struct ClusterPairKernel {
    static constexpr bool energy = variant == KernelVariant::force_energy;
    using Columns = TileColumns<P, T>;

    ClusterJob<T>& job;
    TileParameters<P, T, several_types> p;

    AUREOLE_FN const T* x_of(std::int32_t c) const {
        return job.x + static_cast<std::int64_t>(c) * block_size;
    }
    AUREOLE_FN T* force_of(std::int32_t c) const {
        return job.force + static_cast<std::int64_t>(c) * block_size;
    }

    /// Forces of one tile, and what else is asked for into the sums.
    template <bool masked>
    AUREOLE_FN TileForce<T> tile(const TileSeparation<T>& d, const typename Columns::Values& of_i,
                                 std::int32_t ci, std::int32_t cj, TileBits bits,
                                 TileSums<T>& sums) {
        p.load(job.tables, job.type + 4 * ci, job.type + 4 * cj);
        const auto pair = Columns::pair(d, of_i, job, cj);
        auto within = d.r2 < p.cut.r_cut2;
        if constexpr (masked) within = within & TileMask<T>::from_bits(bits);
        Tile<T> f;
        if constexpr (energy) {
            const auto value = evaluate<P, modifier, Tile<T>>(pair, p.c, p.cut);
            sums.potential.energy = sums.potential.energy + zero_unless(within, value.energy);
            f = zero_unless(within, value.force_over_r);
        } else {
            f = zero_unless(within, evaluate_force<P, modifier, Tile<T>>(pair, p.c, p.cut));
        }
        const TileForce<T> force{f * d.x, f * d.y, f * d.z};
        sums.fx = sums.fx + force.x, sums.fy = sums.fy + force.y, sums.fz = sums.fz + force.z;
        if constexpr (energy) sums.potential.add_virial(force, d);
        return force;
    }

    template <Shift shift>
    AUREOLE_FN void entry(const ClusterEntry& e) {
        const std::int32_t ci = e.cluster;
        const std::int32_t* j = job.list.j;
        const TileRows<T, shift> rows(x_of(ci), job.shift[e.shift], job.shift_rest[e.shift]);
        const auto of_i = Columns::of_i(job, ci);
        TileSums<T> sums;
        std::int32_t k = e.begin;
        if (shift == Shift::none && j[k] == ci) {
            const TileBits bits = self_tile_bits & job.list.bits_of(k);
            tile<true>(TileSeparation<T>(rows, x_of(ci)), of_i, ci, ci, bits, sums)
                .react(force_of(ci));
            ++k;
        }
        for (; k < e.masked_end; ++k)
            tile<true>(TileSeparation<T>(rows, x_of(j[k])), of_i, ci, j[k], job.list.bits[k], sums)
                .react(force_of(j[k]));
        if (k < e.end) {
            // Three tiles are under way: one tile's chain of dependent operations is longer than
            // what a processor's scheduler looks ahead.
            TileSeparation<T> next(rows, x_of(j[k]));
            TileForce<T> last{T(0), T(0), T(0)};
            std::int32_t last_j = j[k];
            for (; k < e.end; ++k) {
                const TileSeparation<T> now = next;
                const std::int32_t cj = j[k];
                next = TileSeparation<T>(rows, x_of(j[k + 1 < e.end ? k + 1 : k]));
                last.react(force_of(last_j));
                last = tile<false>(now, of_i, ci, cj, all_bits, sums);
                last_j = cj;
            }
            last.react(force_of(last_j));
        }
        T* fi = force_of(ci);
        (Tile<T>::load(fi) + core::sums_over_columns(sums.fx, sums.fy, sums.fz)).store(fi);
        if constexpr (energy) sums.potential.flush(job.total);
    }

    static void run(ClusterJob<T>& job) {
        ClusterPairKernel kernel{job, TileParameters<P, T, several_types>(job.tables)};
        for (std::int32_t e = 0; e < job.list.n_entries; ++e) {
            const auto& one = job.list.entries[e];
            if (one.shift == central_shift)
                kernel.template entry<Shift::none>(one);
            else
                kernel.template entry<Shift::exact>(one);
        }
    }
};

template <class P, class T>
struct ClusterKernels {
    template <Modifier m, bool several, KernelVariant v>
    static constexpr ClusterKernel<T> one =
        &ClusterPairKernel<P, m, several || core::few_kernels, v, T>::run;
    template <Modifier m>
    static constexpr void fill(ClusterKernelTable<T>& table) {
        using enum KernelVariant;
        auto& k = table.kernel[static_cast<int>(m)];
        k[0][0] = one<m, false, force>, k[1][0] = one<m, true, force>;
        k[0][1] = one<m, false, force_energy>, k[1][1] = one<m, true, force_energy>;
    }
    static constexpr ClusterKernelTable<T> make() {
        ClusterKernelTable<T> table{};
        fill<Modifier::none>(table), fill<Modifier::xplor>(table);
        fill<Modifier::force_shift>(table);
        return table;
    }
};

/// The kernels of one potential, as the generated unit of its leaf file registers them.
template <class P>
PotentialKernels cluster_kernels() {
    static constexpr auto mixed = ClusterKernels<P, float>::make();
    static constexpr auto full = ClusterKernels<P, double>::make();
    return {&mixed, &full};
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
