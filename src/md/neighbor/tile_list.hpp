// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "md/neighbor/lattice_shifts.hpp"

// Lists of tiles, each pair once: a warp has 32 particles that follow each other, a block, as four
// clusters of eight (i clusters), against clusters of four (j clusters). A tile is an i cluster
// with a j cluster: 32 pairs.
namespace aureole::md {

inline constexpr int tile_block = 32, tile_i = 8, tile_j = 4, i_clusters = tile_block / tile_i,
                     j_clusters = tile_block / tile_j;

/// A j cluster in a block's row.
struct alignas(8) TileEntry {
    std::int32_t j;
    /// Bits 0 to 3: i clusters with a pair in reach; bits 8 to 12: the shift, zero for none.
    std::uint32_t tiles;

    AUREOLE_FN static TileEntry of(std::int32_t j, unsigned clusters, int shift) {
        return {j, clusters | static_cast<unsigned>(shift ^ central_shift) << 8};
    }
    AUREOLE_FN bool is_central() const { return tiles < 256; }
    AUREOLE_FN bool has(int i_cluster) const { return (tiles >> i_cluster & 1) != 0; }
    AUREOLE_FN int shift() const { return static_cast<int>(tiles >> 8) ^ central_shift; }
};

/// Rows of a length with room, and how much of each is in use.
struct TileRow {
    TileEntry* entry;     ///< [blocks][stride]
    std::int32_t* count;  ///< [blocks]
    std::int64_t stride;
};

/// The list: entries all of whose pairs interact, and others, with a bit for each pair of a tile
/// that does: those with excluded pairs, and those of a block with itself, whose pairs count once.
struct TileList {
    TileRow whole, masked;
    std::uint32_t* bits;  ///< [blocks][masked.stride][4] of lane 8 j + i
};

/// How many entries and tiles a list has.
struct TileCounts {
    std::int64_t whole = 0, masked = 0;  ///< entries
    std::int64_t tiles = 0;              ///< of 32 pairs each

    AUREOLE_FN friend TileCounts operator+(const TileCounts& a, const TileCounts& b) {
        return {a.whole + b.whole, a.masked + b.masked, a.tiles + b.tiles};
    }
};

/// Counts of one block.
struct CountTiles {
    using device_kernel = void;
    TileList list;

    AUREOLE_FN TileCounts operator()(std::int64_t block) const {
        TileCounts counts{list.whole.count[block], list.masked.count[block], 0};
        counts.tiles = tiles_of(list.whole, block) + tiles_of(list.masked, block);
        return counts;
    }

  private:
    AUREOLE_FN static std::int64_t tiles_of(const TileRow& row, std::int64_t block) {
        std::int64_t tiles = 0;
        for (std::int32_t k = 0; k < row.count[block]; ++k)
            for (int c = 0; c < i_clusters; ++c)
                tiles += row.entry[block * row.stride + k].has(c) ? 1 : 0;
        return tiles;
    }
};

/// The lattice vectors of a box, by the numbers of shifts, in single precision with what rounding
/// takes off.
struct TileShifts {
    core::Vec3f by[shift_count], rest[shift_count];

    TileShifts() = default;
    AUREOLE_FN explicit TileShifts(const core::Box& box) {
        for (int k = 0; k < shift_count; ++k) {
            const auto s = LatticeShift(box, k).by;
            by[k] = {static_cast<float>(s.x), static_cast<float>(s.y), static_cast<float>(s.z)};
            rest[k] = {static_cast<float>(s.x - double(by[k].x)),
                       static_cast<float>(s.y - double(by[k].y)),
                       static_cast<float>(s.z - double(by[k].z))};
        }
    }
};

}  // namespace aureole::md
