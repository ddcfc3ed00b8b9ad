// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/cluster_tile.kernel.hpp"
#include "md/neighbor/reactions.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Whether kernels leave reactions slot by slot: measured in kernels of one potential, and in the
/// longer ones of molecules.
template <class T>
inline constexpr bool wide_reactions = core::fits_register<T, 16>;
template <class T>
inline constexpr bool wide_reactions_of_molecules =
    sizeof(T) == sizeof(float) && core::fits_register<T, 8>;

/// Forces of a tile's pairs on the i side, over their distances; `wide`: it leaves reactions slot
/// by slot.
template <class T, bool wide>
struct TileForce {
    Tile<T> f, x, y, z;  ///< force over distance; separations

    AUREOLE_FN TileForce(Tile<T> f_, Tile<T> x_, Tile<T> y_, Tile<T> z_)
        : f(f_), x(x_), y(y_), z(z_) {}
    AUREOLE_FN TileForce(Tile<T> f_, const TileSeparation<T>& d) : TileForce(f_, d.x, d.y, d.z) {}

    /// Adds to the sums of the i side.
    AUREOLE_FN void act(Tile<T>& fx, Tile<T>& fy, Tile<T>& fz) const {
        fx = fma(f, x, fx), fy = fma(f, y, fy), fz = fma(f, z, fz);
    }
    /// Takes the reaction off a cluster of the j side.
    AUREOLE_FN void react(const ClusterWork<T>& work, std::int32_t cluster) const {
        if constexpr (wide) {
            constexpr int n = Tile<T>::size;
            T* const to = work.reaction + std::int64_t{cluster} * ReactionKernel<T>::size;
            fnma(f, x, Tile<T>::load(to)).store(to);
            fnma(f, y, Tile<T>::load(to + n)).store(to + n);
            fnma(f, z, Tile<T>::load(to + 2 * n)).store(to + 2 * n);
        } else {
            T* const to = work.force + std::int64_t{cluster} * block_size;
            (Tile<T>::load(to) - core::sums_over_rows(f * x, f * y, f * z)).store(to);
        }
    }
};

template <class T>
void take_reactions(T* reaction, T* force, std::int32_t begin, std::int32_t end) {
    constexpr int n = Tile<T>::size;
    static_assert(3 * n == ReactionKernel<T>::size);
    const Tile<T> zero(T(0));
    for (std::int64_t c = begin; c < end; ++c) {
        T *const from = reaction + c * ReactionKernel<T>::size, *const to = force + c * block_size;
        const auto sums = core::sums_over_rows(Tile<T>::load(from), Tile<T>::load(from + n),
                                               Tile<T>::load(from + 2 * n));
        (Tile<T>::load(to) + sums).store(to);
        for (int k = 0; k < 3; ++k) zero.store(from + k * n);
    }
}

template <class T>
constexpr ReactionKernel<T> reaction_kernel() {
    return {wide_reactions<T>, wide_reactions_of_molecules<T>, &take_reactions<T>};
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
