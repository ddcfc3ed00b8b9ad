// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
