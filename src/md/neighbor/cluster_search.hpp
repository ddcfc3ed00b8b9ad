// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/bulk.hpp"
#include "md/neighbor/cluster_job.hpp"
#include "md/neighbor/zone.hpp"

namespace aureole::md {

/// Bounding boxes and displacement limits of clusters [clusters + padding], and where to look for
/// neighbours.
struct ClusterBounds {
    const float *lo_x, *lo_y, *lo_z, *hi_x, *hi_y, *hi_z;
    const float* limit;      ///< how far any particle of the cluster may go
    const float* new_limit;  ///< the same after an extension; equal to `limit` in a search
    const float *f_lo_x, *f_hi_x, *f_lo_y, *f_hi_y;  ///< fractional coordinates, in [0, 1] inside
    const std::int32_t* column_of;                   ///< [clusters]
    const std::int32_t* column_start;                ///< [columns + 1]
};

/// Bounds of whole columns [columns], for skipping columns that are too far.
struct ColumnBounds {
    const float *lo_x, *lo_y, *hi_x, *hi_y;
    const float* limit;         ///< largest (new) limit of a cluster in it
    const std::int32_t* first;  ///< [columns][bins] first cluster whose top is in or above a bin
    int bins;
    float z_lo, inv_bin;  ///< bin of z: (z - z_lo) inv_bin
};

/// The columns of one zone along one axis.
struct GridAxis {
    int n;                  ///< columns
    float low, per_column;  ///< fractional coordinate where they begin, columns per fraction
    float nothing_below, nothing_above;  ///< fractional coordinates beyond which no particle is
};

/// One zone as the search sees it.
struct SearchGrid {
    GridAxis x, y;
    std::int32_t first_column, first_cluster, last_cluster;
    float z_lo, z_hi;  ///< extent of its particles
    std::uint8_t axes;
    core::Vec3i shift;
};

inline constexpr int most_grids = 28;

struct SearchSpace {
    ClusterBounds bounds;
    ColumnBounds columns;
    SearchGrid grid[most_grids];
    int grids;
    float inv_face_x, inv_face_y;
    float z_lo, z_hi;        ///< extent of all particles
    float slack;             ///< rounding of coordinates
    float r_cut, limit_max;  ///< pairs are kept below r_cut + (limit_i + limit_j)
    bool shifts[3];          ///< axes along which list entries carry lattice shifts
    std::uint8_t divided;    ///< bits of axes along which zones carry them
    core::Vec3f shift[shift_count];
};

/// An array that kernels compiled for one instruction set append to. Growing is left to code that
/// every processor can run.
template <class T>
struct Appendable {
    core::BulkVector<T> storage;
    T* data = nullptr;
    std::int32_t size = 0, capacity = 0;

    void clear() { size = 0; }
    std::size_t bytes() const { return sizeof(T) * static_cast<std::size_t>(capacity); }
    void reserve(std::int32_t n);  ///< keeps what is there
    /// Clears the array and gives its memory back as far as possible; the capacity stays.
    void forget() {
        clear();
        core::forget_contents(data, bytes());
    }
};
extern template struct Appendable<std::int32_t>;
extern template struct Appendable<ClusterEntry>;
extern template struct Appendable<TileBits>;

/// A run of clusters and their list; filled by one thread, hence on cache lines of its own.
struct alignas(128) ClusterChunk {
    std::int32_t first = 0, last = 0;
    Appendable<ClusterEntry> entries;
    Appendable<std::int32_t> j;
    Appendable<TileBits> bits;  ///< beside j, where pairs are excluded

    void clear() { entries.clear(), j.clear(), bits.clear(); }
    void forget() { entries.forget(), j.forget(), bits.forget(); }
    std::size_t bytes() const { return entries.bytes() + j.bytes() + bits.bytes(); }
    ClusterListView view() const {
        return {entries.data, entries.size, j.data, bits.size > 0 ? bits.data : nullptr};
    }
};

/// The search of one instruction set.
struct SearchKernels {
    /// Fills a chunk's list.
    void (*search)(const SearchSpace&, ClusterChunk&);
    /// Appends the pairs that a cluster's new limit adds.
    void (*extend)(const SearchSpace&, ClusterChunk&, std::int32_t cluster);
    PruneKernel<float> prune_mixed;
    PruneKernel<double> prune_full;

    template <class T>
    PruneKernel<T> prune() const {
        if constexpr (sizeof(T) == sizeof(float))
            return prune_mixed;
        else
            return prune_full;
    }
};

/// The search of the instruction set in use.
SearchKernels search_kernels();

/// Whole-number lattice shift of a shift's number, each component −1, 0 or 1.
constexpr core::Vec3i lattice_of_shift(int shift) {
    return {shift / 9 - 1, shift / 3 % 3 - 1, shift % 3 - 1};
}
constexpr int shift_of_lattice(const core::Vec3i& n) {
    return 9 * (n.x + 1) + 3 * (n.y + 1) + n.z + 1;
}

}  // namespace aureole::md
