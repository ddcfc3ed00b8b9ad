// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "md/neighbor/reactions.kernel.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Energies and virials of an entry's pairs.
template <class T>
struct TilePotential {
    Tile<T> energy{T(0)}, xx{T(0)}, yy{T(0)}, zz{T(0)}, xy{T(0)}, xz{T(0)}, yz{T(0)};

    AUREOLE_FN void add_virial(Tile<T> force_over_r, const TileSeparation<T>& d) {
        const auto x = force_over_r * d.x, y = force_over_r * d.y, z = force_over_r * d.z;
        xx = fma(x, d.x, xx), yy = fma(y, d.y, yy), zz = fma(z, d.z, zz);
        xy = fma(x, d.y, xy), xz = fma(x, d.z, xz), yz = fma(y, d.z, yz);
    }
    AUREOLE_FN void flush(EnergyVirial& total) const {
        total.energy += sum(energy);
        total.virial += core::Sym3d{static_cast<double>(sum(xx)), static_cast<double>(sum(yy)),
                                    static_cast<double>(sum(zz)), static_cast<double>(sum(xy)),
                                    static_cast<double>(sum(xz)), static_cast<double>(sum(yz))};
    }
};

template <class T>
struct TileSums {
    Tile<T> fx{T(0)}, fy{T(0)}, fz{T(0)};
    TilePotential<T> potential;  ///< kernels with energy
};

/// Evaluates several tiles of one entry together; one(d, cj) returns the forces of the tile with
/// cluster cj, given its separations.
template <class T, Shift shift, class OneTile, int... k>
AUREOLE_FN void tiles_at_once(const ClusterWork<T>& work, const TileRows<T, shift>& rows,
                              const std::int32_t* j, const OneTile& one,
                              std::integer_sequence<int, k...>) {
    const TileSeparation<T> d[]{{rows, work.x + std::int64_t{j[k]} * block_size}...};
    const decltype(one(d[0], 0)) force[]{one(d[k], j[k])...};
    (force[k].react(work, j[k]), ...);
}

/// Tiles [begin, end) of a list. The operations of a tile depend on each other; four tiles (two
/// where a register holds fewer than eight numbers) are started together so that the processor can
/// overlap them.
template <class T, Shift shift, class OneTile>
AUREOLE_FN void for_tiles(const ClusterWork<T>& work, const TileRows<T, shift>& rows,
                          std::int32_t begin, std::int32_t end, const OneTile& one) {
    constexpr int at_once = core::fits_register<T, 8> ? 4 : 2;
    std::int32_t k = begin;
    for (; k + at_once <= end; k += at_once)
        tiles_at_once(work, rows, work.list.j + k, one, std::make_integer_sequence<int, at_once>());
    for (; k < end; ++k)
        tiles_at_once(work, rows, work.list.j + k, one, std::make_integer_sequence<int, 1>());
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
