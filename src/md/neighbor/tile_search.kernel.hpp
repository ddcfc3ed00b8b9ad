// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/atomic.hpp"
#include "md/neighbor/bounds.hpp"
#include "md/neighbor/local_exclusions.kernel.hpp"
#include "md/neighbor/site.hpp"
#include "md/neighbor/tile_list.hpp"

namespace aureole::md {

/// One block's row: all tiles with a pair that may come within the cut-off while both particles
/// stay within their limits. Of two blocks one has the tiles of both.
struct TileSearch {
    using device_kernel = void;
    static constexpr int blocks_on_processor = 6;
    BoundsLevels<float> bounds;
    LatticeShifts<float> shifts;  ///< of the box of the search
    const Site<float>* site;
    const float* limit;
    float r_cut;
    float extent;  ///< of the box
    ExcludedPartners exclusions;
    TileList list;
    std::uint32_t* needed;  ///< [2] raised to the lengths of rows that did not fit

    AUREOLE_FN void operator()(device::Team& team, std::int64_t block) const {
        const Bounds<float> own = bounds.block[block];
        const SearchRange<float> range(r_cut, extent, *bounds.all);
        const Row row{*this, team, block, range};
        Found found;
        each_bit(visible_shifts(team, shifts, own, range, *bounds.all), [&](int s) {
            const Near near{own, range, shifts.by[s]};
            each_near_block(team, bounds, near, [&](std::int64_t other) {
                if (other == block || takes(block, other)) look_at(row, near, s, other, found);
            });
        });
        if (team.rank() == 0) row.close(found);
    }

  private:
    using Near = NearWhenShifted<float>;

    /// Lengths of the two parts of a row.
    struct Found {
        std::int32_t whole = 0, masked = 0;
    };

    /// Which of two blocks has the tiles of both: rows are of like length so.
    AUREOLE_FN static bool takes(std::int64_t block, std::int64_t other) {
        return (block < other) == (((block + other) & 1) == 0);
    }

    /// What is the same for all tiles of a row.
    struct Row {
        const TileSearch& of;
        device::Team& team;
        std::int64_t block;
        const SearchRange<float>& range;

        /// Bits of the pairs of a tile that may come into range.
        AUREOLE_FN unsigned pairs_within(std::int64_t i_cluster, std::int64_t j_cluster,
                                         const core::Vec3f& by) const {
            return word_of(team, [&](int lane) {
                const auto i = tile_i * i_cluster + (lane & 7),
                           j = tile_j * j_cluster + (lane >> 3);
                if (i >= of.bounds.n || j >= of.bounds.n) return false;
                const auto &a = of.site[i], &b = of.site[j];
                const float x = a.x - (b.x + by.x), y = a.y - (b.y + by.y), z = a.z - (b.z + by.z);
                const float r = range.of(of.limit[i], of.limit[j]);
                return x * x + y * y + z * z <= r * r;
            });
        }
        /// Bits of the pairs that interact: each pair of a block with itself once.
        AUREOLE_FN unsigned interacting(std::int64_t i_cluster, std::int64_t j_cluster,
                                        bool own) const {
            return word_of(team, [&](int lane) {
                const auto i = tile_i * i_cluster + (lane & 7),
                           j = tile_j * j_cluster + (lane >> 3);
                if (i >= of.bounds.n || j >= of.bounds.n || (own && j <= i)) return false;
                if (!of.exclusions.any()) return true;
                for (auto k = of.exclusions.start[i]; k < of.exclusions.start[i + 1]; ++k)
                    if (of.exclusions.partner[k] == j) return false;
                return true;
            });
        }
        AUREOLE_FN void add_whole(const TileEntry& entry, Found& found) const {
            const auto at = found.whole++;
            if (team.rank() == 0 && at < of.list.whole.stride)
                of.list.whole.entry[block * of.list.whole.stride + at] = entry;
        }
        AUREOLE_FN void add_masked(const TileEntry& entry, const unsigned* bits,
                                   Found& found) const {
            const auto at = found.masked++;
            if (team.rank() != 0 || at >= of.list.masked.stride) return;
            const auto to = block * of.list.masked.stride + at;
            of.list.masked.entry[to] = entry;
            for (int c = 0; c < i_clusters; ++c) of.list.bits[i_clusters * to + c] = bits[c];
        }
        AUREOLE_FN void close(const Found& found) const {
            close(of.list.whole, found.whole, of.needed);
            close(of.list.masked, found.masked, of.needed + 1);
        }
        AUREOLE_FN void close(const TileRow& row, std::int32_t found, std::uint32_t* needed) const {
            row.count[block] = found < row.stride ? found : static_cast<std::int32_t>(row.stride);
            if (found > row.stride) core::atomic_max(needed, static_cast<std::uint32_t>(found));
        }
    };

    /// The tiles of two blocks.
    AUREOLE_FN void look_at(const Row& row, const Near& near, int shift, std::int64_t other,
                            Found& found) const {
        const auto *const i_bounds = bounds.of_8 + i_clusters * row.block, *const j_bounds =
                                                                               bounds.of_4 +
                                                                               j_clusters * other;
        const unsigned close = word_of(row.team, [&](int k) {
            return Near{i_bounds[k >> 3], row.range, near.by}(j_bounds[k & 7]);
        });
        for (int c = 0; c < j_clusters; ++c)
            if ((close >> c & 0x01010101u) != 0)
                look_at_cluster(row, near, shift, j_clusters * other + c, close >> c, found);
    }
    AUREOLE_FN void look_at_cluster(const Row& row, const Near& near, int shift,
                                    std::int64_t cluster, unsigned close, Found& found) const {
        const bool own = cluster / j_clusters == row.block;
        unsigned tiles = 0, bits[i_clusters] = {};
        bool masked = own;
        for (int i = 0; i < i_clusters; ++i) {
            if ((close >> 8 * i & 1) == 0) continue;
            const auto i_cluster = i_clusters * row.block + i;
            const unsigned within = row.pairs_within(i_cluster, cluster, near.by);
            if (within == 0) continue;
            bits[i] = ~0u;
            if (own || exclusions.any()) bits[i] = row.interacting(i_cluster, cluster, own);
            if ((within & bits[i]) == 0) continue;
            tiles |= 1u << i;
            masked = masked || (within & ~bits[i]) != 0;
        }
        if (tiles == 0) return;
        const auto entry = TileEntry::of(static_cast<std::int32_t>(cluster), tiles, shift);
        if (masked)
            row.add_masked(entry, bits, found);
        else
            row.add_whole(entry, found);
    }
};

}  // namespace aureole::md
