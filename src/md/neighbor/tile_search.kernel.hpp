// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/atomic.hpp"
#include "device/team.hpp"
#include "md/neighbor/local_exclusions.kernel.hpp"
#include "md/neighbor/site.hpp"
#include "md/neighbor/tile_list.hpp"

// The search for tiles: bounding boxes of ever smaller groups, and pairs in the end.
namespace aureole::md {

/// The distance of a cell along Hilbert's curve, three bits a level (J. Skilling, AIP Conf. Proc.
/// 707, 381 (2004)).
AUREOLE_FN std::uint32_t hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z,
                                     int levels) {
    std::uint32_t r[3] = {x, y, z};
    for (std::uint32_t q = 1u << (levels - 1); q > 1; q >>= 1) {
        const std::uint32_t below = q - 1;
        for (int k = 0; k < 3; ++k) {
            if ((r[k] & q) != 0) {
                r[0] ^= below;
            } else {
                const std::uint32_t t = (r[0] ^ r[k]) & below;
                r[0] ^= t, r[k] ^= t;
            }
        }
    }
    r[1] ^= r[0], r[2] ^= r[1];
    std::uint32_t t = 0;
    for (std::uint32_t q = 1u << (levels - 1); q > 1; q >>= 1)
        if ((r[2] & q) != 0) t ^= q - 1;
    std::uint32_t key = 0;
    for (int bit = levels - 1; bit >= 0; --bit)
        for (int k = 0; k < 3; ++k) key = key << 1 | ((r[k] ^ t) >> bit & 1);
    return key;
}

/// The key of each particle along the curve, and the numbers to be sorted with it. Keys follow from
/// the coordinates as kernels read them.
struct HilbertKeys {
    using device_kernel = void;
    core::Box box;
    int levels;
    const core::Vec3d* position;
    std::uint32_t* key;
    std::int32_t* order;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto r = position[i];
        const auto f =
            box.fractional({double(static_cast<float>(r.x)), double(static_cast<float>(r.y)),
                            double(static_cast<float>(r.z))});
        key[i] = hilbert_key(cell(f.x), cell(f.y), cell(f.z), levels);
        order[i] = static_cast<std::int32_t>(i);
    }

  private:
    AUREOLE_FN std::uint32_t cell(double f) const {
        const double cells = double(1u << levels), at = (f + 0.5) * cells;
        return !(at > 0) ? 0u : at >= cells ? (1u << levels) - 1 : static_cast<std::uint32_t>(at);
    }
};

/// Bounds of some particles.
struct Bounds {
    core::Vec3f low, high;

    AUREOLE_FN static Bounds none() {
        constexpr float far = 3e38f;
        return {{far, far, far}, {-far, -far, -far}};
    }
    AUREOLE_FN void add(const Bounds& o) {
        low.x = o.low.x < low.x ? o.low.x : low.x, high.x = o.high.x > high.x ? o.high.x : high.x;
        low.y = o.low.y < low.y ? o.low.y : low.y, high.y = o.high.y > high.y ? o.high.y : high.y;
        low.z = o.low.z < low.z ? o.low.z : low.z, high.z = o.high.z > high.z ? o.high.z : high.z;
    }
    /// The square of the distance to others that are moved by s.
    AUREOLE_FN float distance2(const Bounds& o, const core::Vec3f& s) const {
        const auto gap = [](float low_a, float high_a, float low_b, float high_b) {
            const float up = low_b - high_a, down = low_a - high_b;
            const float most = up > down ? up : down;
            return most > 0 ? most : 0;
        };
        const float x = gap(low.x, high.x, o.low.x + s.x, o.high.x + s.x);
        const float y = gap(low.y, high.y, o.low.y + s.y, o.high.y + s.y);
        const float z = gap(low.z, high.z, o.low.z + s.z, o.high.z + s.z);
        return x * x + y * y + z * z;
    }
};

/// Bounds of clusters of four particles, of n.
struct BoundsOfSites {
    using device_kernel = void;
    const Site<float>* site;
    std::int64_t n;
    Bounds* to;

    AUREOLE_FN void operator()(std::int64_t cluster) const {
        Bounds all = Bounds::none();
        for (std::int64_t i = tile_j * cluster; i < tile_j * cluster + tile_j && i < n; ++i) {
            const core::Vec3f r{site[i].x, site[i].y, site[i].z};
            all.add({r, r});
        }
        to[cluster] = all;
    }
};

/// Bounds of what some bounds, `each` in turn, are part of.
struct BoundsOfBounds {
    using device_kernel = void;
    const Bounds* from;
    std::int64_t n;
    int each;
    Bounds* to;

    AUREOLE_FN void operator()(std::int64_t k) const {
        Bounds all = Bounds::none();
        for (std::int64_t i = each * k; i < each * k + each && i < n; ++i) all.add(from[i]);
        to[k] = all;
    }
};

/// Bounds of all clusters, blocks, and groups of 32 blocks.
struct TileBounds {
    static constexpr int group_blocks = 32;

    const Bounds *j_cluster, *i_cluster, *block, *group;
    std::int64_t blocks;

    AUREOLE_FN std::int64_t groups() const { return (blocks + group_blocks - 1) / group_blocks; }
};

/// One block's row: all tiles with a pair that may come within the cut-off while both particles
/// stay within their limits. Of two blocks one has the tiles of both.
struct TileSearch {
    using device_kernel = void;
    TileBounds bounds;
    TileShifts shifts;  ///< of the box of the search
    const Site<float>* site;
    const float* limit;
    const float* largest_limit;
    std::int64_t n;
    float r_cut;
    float extent;  ///< of the box, for the rounding of coordinates
    ExcludedPartners exclusions;
    TileList list;
    std::uint32_t* needed;  ///< [2] raised to the lengths of rows that did not fit

    AUREOLE_FN void operator()(device::Team& team, std::int64_t block) const {
        constexpr float epsilon = 6e-8f;
        const Bounds own = bounds.block[block];
        const float slack = 64 * epsilon * extent + 8 * epsilon * (r_cut + *largest_limit);
        const Row row{*this, team, block, slack};
        Found found;
        for (int s = 0; s < shift_count; ++s) {
            if ((shifts.used >> s & 1) == 0) continue;
            const float range = r_cut + 2 * *largest_limit + slack;
            const Sight sight{own, shifts.by[s], range * range};
            for (std::int64_t first = 0; first < bounds.groups(); first += 32)
                for (auto groups = near(team, sight, bounds.group, first, bounds.groups());
                     groups != 0; groups &= groups - 1) {
                    const auto from = (first + lowest_bit(groups)) * TileBounds::group_blocks;
                    look_into(row, sight, s, from, found);
                }
        }
        if (team.rank() == 0) row.close(found);
    }

  private:
    /// Lengths of the two parts of a row.
    struct Found {
        std::int32_t whole = 0, masked = 0;
    };
    struct Sight {
        const Bounds& own;
        const core::Vec3f& by;
        float range2;
    };

    AUREOLE_FN static int lowest_bit(unsigned word) {
        return device::count_bits((word & (0u - word)) - 1);
    }
    /// A bit for each of 32 tests.
    template <class Test>
    AUREOLE_FN static unsigned word_of(device::Team& team, const Test& test) {
        if (team.size() == 32) return team.vote(test(team.rank()));
        unsigned word = 0;
        for (int k = team.rank(); k < 32; k += team.size()) word |= (test(k) ? 1u : 0u) << k;
        return team.reduce_sum(word);
    }
    AUREOLE_FN static unsigned near(device::Team& team, const Sight& sight, const Bounds* of,
                                    std::int64_t first, std::int64_t end) {
        return word_of(team, [&](int k) {
            return first + k < end && sight.own.distance2(of[first + k], sight.by) <= sight.range2;
        });
    }
    /// Which of two blocks has the tiles of both: rows are of like length so.
    AUREOLE_FN static bool takes(std::int64_t block, std::int64_t other) {
        return (block < other) == (((block + other) & 1) == 0);
    }

    /// What is the same for all tiles of a row.
    struct Row {
        const TileSearch& of;
        device::Team& team;
        std::int64_t block;
        float slack;

        /// Bits of the pairs of a tile that may come into range.
        AUREOLE_FN unsigned pairs_within(std::int64_t i_cluster, std::int64_t j_cluster,
                                         const core::Vec3f& by) const {
            return word_of(team, [&](int lane) {
                const auto i = tile_i * i_cluster + (lane & 7),
                           j = tile_j * j_cluster + (lane >> 3);
                if (i >= of.n || j >= of.n) return false;
                const auto &a = of.site[i], &b = of.site[j];
                const float x = a.x - (b.x + by.x), y = a.y - (b.y + by.y), z = a.z - (b.z + by.z);
                const float range = of.r_cut + of.limit[i] + of.limit[j] + slack;
                return x * x + y * y + z * z <= range * range;
            });
        }
        /// Bits of the pairs that interact: each pair of a block with itself once.
        AUREOLE_FN unsigned interacting(std::int64_t i_cluster, std::int64_t j_cluster,
                                        bool own) const {
            return word_of(team, [&](int lane) {
                const auto i = tile_i * i_cluster + (lane & 7),
                           j = tile_j * j_cluster + (lane >> 3);
                if (i >= of.n || j >= of.n || (own && j <= i)) return false;
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

    AUREOLE_FN void look_into(const Row& row, const Sight& sight, int shift, std::int64_t first,
                              Found& found) const {
        const auto end = first + TileBounds::group_blocks;
        auto blocks =
            near(row.team, sight, bounds.block, first, end < bounds.blocks ? end : bounds.blocks);
        for (; blocks != 0; blocks &= blocks - 1) {
            const auto other = first + lowest_bit(blocks);
            if (other == row.block || takes(row.block, other))
                look_at(row, sight, shift, other, found);
        }
    }
    /// The tiles of two blocks.
    AUREOLE_FN void look_at(const Row& row, const Sight& sight, int shift, std::int64_t other,
                            Found& found) const {
        const Bounds *const i_bounds = bounds.i_cluster + i_clusters * row.block,
                            *const j_bounds = bounds.j_cluster + j_clusters * other;
        const unsigned close = word_of(row.team, [&](int k) {
            return i_bounds[k >> 3].distance2(j_bounds[k & 7], sight.by) <= sight.range2;
        });
        for (int c = 0; c < j_clusters; ++c)
            if ((close >> c & 0x01010101u) != 0)
                look_at_cluster(row, sight, shift, j_clusters * other + c, close >> c, found);
    }
    AUREOLE_FN void look_at_cluster(const Row& row, const Sight& sight, int shift,
                                    std::int64_t cluster, unsigned close, Found& found) const {
        const bool own = cluster / j_clusters == row.block;
        unsigned tiles = 0, bits[i_clusters] = {};
        bool masked = own;
        for (int i = 0; i < i_clusters; ++i) {
            if ((close >> 8 * i & 1) == 0) continue;
            const auto i_cluster = i_clusters * row.block + i;
            const unsigned within = row.pairs_within(i_cluster, cluster, sight.by);
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
