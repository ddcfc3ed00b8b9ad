// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/cluster_tile.kernel.hpp"
#include "md/neighbor/reactions.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

template <class T>
inline constexpr bool wide_reactions = core::fits_register<T, 16>;
template <class T>
inline constexpr int reaction_size = wide_reactions<T> ? 3 * Tile<T>::size : block_size;

/// Forces of a tile's pairs on the i side, over their distances.
template <class T>
struct TileForce {
    Tile<T> f, x, y, z;  ///< force over distance; separations

    AUREOLE_FN TileForce(Tile<T> f_, Tile<T> x_, Tile<T> y_, Tile<T> z_)
        : f(f_), x(x_), y(y_), z(z_) {}
    AUREOLE_FN TileForce(Tile<T> f_, const TileSeparation<T>& d) : TileForce(f_, d.x, d.y, d.z) {}

    /// Adds to the sums of the i side.
    AUREOLE_FN void act(Tile<T>& fx, Tile<T>& fy, Tile<T>& fz) const {
        fx = fma(f, x, fx), fy = fma(f, y, fy), fz = fma(f, z, fz);
    }
    /// Takes the reaction off the j side.
    AUREOLE_FN void react(T* to) const {
        if constexpr (wide_reactions<T>) {
            constexpr int n = Tile<T>::size;
            fnma(f, x, Tile<T>::load(to)).store(to);
            fnma(f, y, Tile<T>::load(to + n)).store(to + n);
            fnma(f, z, Tile<T>::load(to + 2 * n)).store(to + 2 * n);
        } else {
            (Tile<T>::load(to) - core::sums_over_rows(f * x, f * y, f * z)).store(to);
        }
    }
};

template <class T>
void take_reactions(T* reaction, T* force, std::int32_t begin, std::int32_t end) {
    constexpr int n = Tile<T>::size;
    const Tile<T> zero(T(0));
    for (std::int64_t c = begin; c < end; ++c) {
        T *const from = reaction + c * 3 * n, *const to = force + c * block_size;
        const auto sums = core::sums_over_rows(Tile<T>::load(from), Tile<T>::load(from + n),
                                               Tile<T>::load(from + 2 * n));
        (Tile<T>::load(to) + sums).store(to);
        for (int k = 0; k < 3; ++k) zero.store(from + k * n);
    }
}

template <class T>
constexpr ReactionKernel<T> reaction_kernel() {
    return {wide_reactions<T> ? reaction_size<T> : 0, &take_reactions<T>};
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
