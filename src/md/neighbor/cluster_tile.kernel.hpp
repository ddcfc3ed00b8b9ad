// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd.hpp"
#include "md/neighbor/cluster_job.hpp"

// Tiles of 4 × 4 pairs between two clusters, one number of a 16-lane pack per pair
// (Páll & Hess, Comput. Phys. Commun. 184 (2013) 2641, with square tiles). Lane 4 i + j.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

template <class T>
using Tile = core::Pack<T, 16>;
template <class T>
using Row = core::Pack<T, 4>;
template <class T>
using TileMask = core::Mask<T, 16>;

/// How the lattice shift of an entry is added to its i side: not at all, with rounding, or with the
/// rounding error carried along, so that pairs across a face are as exact as
/// others.
enum class Shift { none, rounded, exact };

/// The i side of an entry, each particle over a row of the tile.
template <class T, Shift shift>
struct TileRows {
    Tile<T> x, y, z;
    Tile<T> rest_x, rest_y, rest_z;  ///< exact shifts only

    AUREOLE_FN TileRows(const T* block, const core::Vec3<T>& by, const core::Vec3<T>& rest) {
        const auto r = Tile<T>::load(block);
        const auto filler = Tile<T>(T(filler_threshold)) < r;
        if constexpr (shift == Shift::none) {
            core::spread_rows(select(filler, -r, r), x, y, z);
        } else {
            const auto s = core::block_of(by.x, by.y, by.z), sum = r + s;
            core::spread_rows(select(filler, -r, sum), x, y, z);
            if constexpr (shift == Shift::exact) {
                // Knuth's two-sum: sum and remainder together are r + s exactly.
                const auto part = sum - r, remainder = (r - (sum - part)) + (s - part);
                core::spread_rows(select(filler, Tile<T>(T(0)),
                                         remainder + core::block_of(rest.x, rest.y, rest.z)),
                                  rest_x, rest_y, rest_z);
            }
        }
    }
};

/// Separations of a tile's pairs.
template <class T>
struct TileSeparation {
    Tile<T> x, y, z, r2;

    template <Shift shift>
    AUREOLE_FN TileSeparation(const TileRows<T, shift>& i, const T* block)
        : x(i.x - Tile<T>::repeat4(block)),
          y(i.y - Tile<T>::repeat4(block + 4)),
          z(i.z - Tile<T>::repeat4(block + 8)) {
        if constexpr (shift == Shift::exact) x = x + i.rest_x, y = y + i.rest_y, z = z + i.rest_z;
        r2 = fma(z, z, fma(y, y, x * x));
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
