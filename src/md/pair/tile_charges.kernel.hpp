// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/electrostatics.hpp"
#include "md/pair/tile_force.kernel.hpp"

// What the charges add to a kernel of one potential.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Nothing.
template <class T>
struct NoCharges {
    static constexpr bool any = false;
    using Job = ClusterJob<T>;
    using Sums = TileSums<T>;
    struct OfI {};

    explicit NoCharges(const Job&) {}
    AUREOLE_FN static OfI of_i(const Job&, std::int32_t) { return {}; }
};

/// Reaction field or Ewald's direct sum. Excluded pairs feel the smooth part, which reaction field
/// and mesh give to all pairs alike.
template <Coulomb kind, bool energy, class T>
struct TileCharges {
    static constexpr bool any = true;
    using Job = ChargedJob<T>;
    using OfI = Tile<T>;
    struct Sums : TileSums<T> {
        TilePotential<T> coulomb;  ///< kernels with energy
    };

    const Electrostatics<kind, energy, Tile<T>> law;

    explicit TileCharges(const Job& job) : law(*job.numbers) {}

    AUREOLE_FN static const T* of(const Job& job, std::int32_t cluster) {
        return job.own + static_cast<std::int64_t>(cluster) * block_size;
    }
    AUREOLE_FN static OfI of_i(const Job& job, std::int32_t ci) {
        return Tile<T>::spread4(of(job, ci));
    }
    /// Forces over distances of a tile's pairs; `masked` where some are excluded or not counted.
    template <bool masked>
    AUREOLE_FN Tile<T> force(const Job& job, const TileSeparation<T>& d, const OfI& of_i,
                             std::int32_t cj, TilePairs which, Sums& sums) const {
        const auto inv_r = rsqrt(d.r2), inv_r2 = inv_r * inv_r;
        auto within = d.r2 < law.r_coulomb2;
        auto bare = inv_r, one = Tile<T>(T(1));
        if constexpr (masked) {
            const auto interact = TileMask<T>::from_bits(which.interact);
            const auto felt = which.interact | job.numbers->smooth;
            within = within & TileMask<T>::from_bits(which.counted & felt);
            bare = zero_unless(interact, inv_r), one = zero_unless(interact, one);
        }
        const auto qq = of_i * Tile<T>::repeat4(of(job, cj));
        const auto charge = law.charges(d.r2, bare, inv_r2, one);
        const auto f = zero_unless(within, qq * charge.force_over_r);
        if constexpr (energy) {
            sums.coulomb.energy = sums.coulomb.energy + zero_unless(within, qq * charge.energy);
            sums.coulomb.add_virial(f, d);
        }
        return f;
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
