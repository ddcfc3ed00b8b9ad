// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/vec3.hpp"

// The kernel's view of the particles: clusters of four, each one block x₄ y₄ z₄ s₄ of four-number
// rows (64 bytes in mixed precision). The spare row s carries, in the coordinate blocks, how far
// the particle may go before the pair list must be renewed.
namespace aureole::md {

inline constexpr int cluster_size = 4;
inline constexpr int block_size = 16;  ///< numbers per block

/// Coordinate of the slots that hold no particle: beyond every cut-off, finite in all kernels.
/// A kernel negates it on the i side, so that fillers never interact.
inline constexpr double filler_coordinate = 1e12;
inline constexpr double filler_threshold = 1e11;

/// Number of a row's element in a block array.
AUREOLE_FN constexpr std::int64_t block_index(std::int64_t slot, int row) {
    return (slot >> 2) * block_size + row * cluster_size + (slot & 3);
}

/// One cluster, moved by one lattice shift, against a run of j clusters.
struct ClusterEntry {
    std::int32_t cluster;
    std::int32_t shift;       ///< number of the lattice shift; `central_shift` is none
    std::int32_t begin, end;  ///< range in the list of j clusters
    std::int32_t masked_end;  ///< tiles before it have excluded pairs
    std::int32_t bits;        ///< where the bits of its first tile are
};

inline constexpr int shift_count = 27;
inline constexpr int central_shift = 13;

/// Pairs of a tile, one bit per slot 4 i + j.
using TileBits = std::uint16_t;
inline constexpr TileBits all_bits = 0xFFFF;

/// Pairs of a cluster with itself that count: j > i.
inline constexpr TileBits self_tile_bits = 0x08CE;

/// Pairs of a tile: those that interact, and those that the tile counts.
struct TilePairs {
    TileBits interact, counted;
};

/// A pair list as kernels read it. A cluster's own tile, if any, is the first of its central entry.
struct ClusterListView {
    const ClusterEntry* entries;
    std::int32_t n_entries;
    const std::int32_t* j;
    const TileBits* bits;  ///< of the tiles up to masked_end; null without exclusions

    AUREOLE_FN TileBits bits_of(const ClusterEntry& e, std::int32_t k) const {
        return bits != nullptr ? bits[e.bits + (k - e.begin)] : all_bits;
    }
    AUREOLE_FN bool is_own(const ClusterEntry& e, std::int32_t k) const {
        return e.shift == central_shift && j[k] == e.cluster;
    }
    AUREOLE_FN TilePairs pairs_of(const ClusterEntry& e, std::int32_t k) const {
        const bool own = is_own(e, k);
        return {own || k < e.masked_end ? bits_of(e, k) : all_bits,
                own ? self_tile_bits : all_bits};
    }
    /// The first tile of an entry all of whose pairs count and interact.
    AUREOLE_FN std::int32_t first_whole(const ClusterEntry& e) const {
        const std::int32_t after_own = e.begin + (is_own(e, e.begin) ? 1 : 0);
        return after_own > e.masked_end ? after_own : e.masked_end;
    }
};

}  // namespace aureole::md
