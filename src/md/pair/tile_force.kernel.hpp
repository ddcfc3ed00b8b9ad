// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/cluster_tile.kernel.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Forces of a tile's pairs on the i side.
template <class T>
struct TileForce {
    Tile<T> x, y, z;

    /// Takes the reaction off the j side.
    AUREOLE_FN void react(T* block) const {
        (Tile<T>::load(block) - core::sums_over_rows(x, y, z)).store(block);
    }
};

/// Energies and virials of an entry's pairs.
template <class T>
struct TilePotential {
    Tile<T> energy{T(0)}, xx{T(0)}, yy{T(0)}, zz{T(0)}, xy{T(0)}, xz{T(0)}, yz{T(0)};

    AUREOLE_FN void add_virial(const TileForce<T>& force, const TileSeparation<T>& d) {
        xx = fma(force.x, d.x, xx), yy = fma(force.y, d.y, yy), zz = fma(force.z, d.z, zz);
        xy = fma(force.x, d.y, xy), xz = fma(force.x, d.z, xz), yz = fma(force.y, d.z, yz);
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

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
