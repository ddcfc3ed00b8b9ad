// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/cluster_tile.kernel.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

template <bool uniform, class T>
void prune_with(PruneJob<T>& job) {
    // Local copies, which cannot alias the lists, stay in registers.
    const T* const x = job.x;
    const std::int32_t* const outer = job.list.j;
    const TileBits* const outer_bits = job.list.bits;
    std::int32_t* const inner = job.j;
    TileBits* const inner_bits = job.bits;
    std::int32_t n_inner = 0, n_bits = 0;
    const T range = job.uniform + job.r_cut + job.uniform;
    const Tile<T> range2(range * range);
    const auto block_of = [x](std::int32_t c) {
        return x + static_cast<std::int64_t>(c) * block_size;
    };
    for (std::int32_t e = 0; e < job.list.n_entries; ++e) {
        const ClusterEntry entry = job.list.entries[e];
        const T* own = block_of(entry.cluster);
        // Unlike the forces, the distances need no remainder: r_cut has a margin.
        const TileRows<T, Shift::rounded> rows(own, job.shift[entry.shift], {});
        Tile<T> limit_i;
        if constexpr (!uniform) limit_i = Tile<T>::spread4(own + 12) + Tile<T>(job.r_cut);
        const std::int32_t before = n_inner, bits_before = n_bits;
        std::int32_t k = entry.begin, from_bits = entry.bits;
        const auto keep = [&](std::int32_t cj) {
            const T* block = block_of(cj);
            const TileSeparation<T> d(rows, block);
            inner[n_inner] = cj;
            if constexpr (uniform) return any(d.r2 < range2);
            const auto limit = limit_i + Tile<T>::repeat4(block + 12);
            return any(d.r2 < limit * limit);
        };
        if (entry.shift == central_shift && outer[k] == entry.cluster) {
            if (outer_bits != nullptr) inner_bits[n_bits++] = outer_bits[from_bits++];
            inner[n_inner++] = outer[k++];  // a cluster's own tile stays, and stays the first
        }
        for (; k < entry.masked_end; ++k) {
            inner_bits[n_bits] = outer_bits[from_bits++];
            const int kept = keep(outer[k]);
            n_inner += kept, n_bits += kept;
        }
        const std::int32_t masked_end = n_inner;
        for (; k < entry.end; ++k) n_inner += keep(outer[k]);
        if (n_inner > before)
            job.entries[job.n_entries++] = {entry.cluster, entry.shift, before,
                                            n_inner,       masked_end,  bits_before};
    }
    job.n_j = n_inner, job.n_bits = n_bits;
}

template <class T>
void prune_clusters(PruneJob<T>& job) {
    if (job.uniform < 0)
        prune_with<false>(job);
    else
        prune_with<true>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
