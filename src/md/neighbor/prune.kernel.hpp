// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/cluster_tile.kernel.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

template <class T>
void prune_clusters(PruneJob<T>& job) {
    const auto block_of = [&](std::int32_t c) {
        return job.x + static_cast<std::int64_t>(c) * block_size;
    };
    for (std::int32_t e = 0; e < job.list.n_entries; ++e) {
        const ClusterEntry entry = job.list.entries[e];
        const T* own = block_of(entry.cluster);
        // Unlike the forces, the distances need no remainder: r_cut has a margin.
        const TileRows<T, true> rows(own, job.shift[entry.shift], {});
        const Tile<T> reach_i = Tile<T>::spread4(own + 12) + Tile<T>(job.r_cut);
        const std::int32_t before = job.n_j;
        std::int32_t k = entry.begin;
        if (entry.shift == central_shift && job.list.j[k] == entry.cluster)
            job.j[job.n_j++] = job.list.j[k++];  // a cluster's own tile stays, and stays the first
        for (; k < entry.end; ++k) {
            const std::int32_t cj = job.list.j[k];
            const T* block = block_of(cj);
            const TileSeparation<T> d(rows, block);
            const auto reach = reach_i + Tile<T>::repeat4(block + 12);
            job.j[job.n_j] = cj;
            job.n_j += any(d.r2 < reach * reach);
        }
        if (job.n_j > before)
            job.entries[job.n_entries++] = {entry.cluster, entry.shift, before, job.n_j};
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
