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

/// The i side of an entry, each particle over a row of the tile. A shifted one carries what its
/// coordinates lost to rounding, so that pairs across a face are as exact as others.
template <class T, bool shifted>
struct TileRows {
    Tile<T> x, y, z;
    Tile<T> rest_x, rest_y, rest_z;  ///< shifted entries only

    AUREOLE_FN TileRows(const T* block, const core::Vec3<T>& shift, const core::Vec3<T>& rest) {
        row(block, shift.x, rest.x, x, rest_x);
        row(block + 4, shift.y, rest.y, y, rest_y);
        row(block + 8, shift.z, rest.z, z, rest_z);
    }

  private:
    AUREOLE_FN static void row(const T* four, T shift, T rest, Tile<T>& high, Tile<T>& low) {
        const auto r = Row<T>::load(four);
        const auto filler = Row<T>(T(filler_threshold)) < r;
        alignas(32) T moved[4];
        if constexpr (shifted) {
            // Knuth's two-sum: sum and remainder together are r + shift exactly.
            const Row<T> s(shift), sum = r + s, part = sum - r;
            const auto remainder = (r - (sum - part)) + (s - part);
            select(filler, -r, sum).store(moved);
            high = Tile<T>::spread4(moved);
            select(filler, Row<T>(T(0)), remainder + Row<T>(rest)).store(moved);
            low = Tile<T>::spread4(moved);
        } else {
            select(filler, -r, r).store(moved);
            high = Tile<T>::spread4(moved);
        }
    }
};

/// Separations of a tile's pairs.
template <class T>
struct TileSeparation {
    Tile<T> x, y, z, r2;

    template <bool shifted>
    AUREOLE_FN TileSeparation(const TileRows<T, shifted>& i, const T* block)
        : x(i.x - Tile<T>::repeat4(block)),
          y(i.y - Tile<T>::repeat4(block + 4)),
          z(i.z - Tile<T>::repeat4(block + 8)) {
        if constexpr (shifted) x = x + i.rest_x, y = y + i.rest_y, z = z + i.rest_z;
        r2 = fma(z, z, fma(y, y, x * x));
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
