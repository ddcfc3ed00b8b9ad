// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/macros.hpp"

// Periodic maps of two angles, bicubic between nodes.
namespace aureole::md {

/// Numbers kept of each node: energy, slopes along both angles times the spacing, and the mixed
/// second derivative times its square.
inline constexpr int numbers_of_node = 4;

/// Nodes of a map [size][size] of energies over φ and ψ from −π on: [size][size][4]. Slopes are
/// those of the periodic cubic splines through the rows, as in OpenMM, or of those that GROMACS
/// takes instead.
std::vector<double> map_nodes(const std::vector<double>& energies, int size, bool periodic = false);

template <class R>
struct MapValue {
    R energy, along_phi, along_psi;
};

/// Cubic Hermite weights of a node's value and slope, with their derivatives; u in [0, 1] is the
/// way to the next node.
template <class T>
struct HermiteWeights {
    T value[2], slope[2], d_value[2], d_slope[2];

    AUREOLE_FN explicit HermiteWeights(T u) {
        const T v = 1 - u;
        value[0] = v * v * (1 + 2 * u), value[1] = u * u * (3 - 2 * u);
        slope[0] = u * v * v, slope[1] = -u * u * v;
        d_value[0] = -6 * u * v, d_value[1] = 6 * u * v;
        d_slope[0] = v * (1 - 3 * u), d_slope[1] = u * (3 * u - 2);
    }
};

/// The map at angles in [−π, π].
template <class T>
AUREOLE_FN MapValue<T> interpolate_one(const T* nodes, int size, T phi, T psi) {
    const T per_radian = static_cast<T>(size) / static_cast<T>(6.283185307179586);
    int cell[2][2];
    T way[2];
    for (int k = 0; k < 2; ++k) {
        const T place = ((k == 0 ? phi : psi) + static_cast<T>(3.141592653589793)) * per_radian;
        const T whole = std::floor(place);
        way[k] = place - whole;
        int first = static_cast<int>(whole);
        if (first >= size) first -= size;              // π itself
        if (!(first >= 0 && first < size)) first = 0;  // no number
        cell[k][0] = first, cell[k][1] = first + 1 < size ? first + 1 : 0;
    }
    const HermiteWeights<T> x(way[0]), y(way[1]);
    MapValue<T> sum{0, 0, 0};
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            const T* n = nodes + numbers_of_node *
                                     (static_cast<std::int64_t>(cell[0][i]) * size + cell[1][j]);
            const T value = n[0] * y.value[j] + n[2] * y.slope[j];
            const T rise = n[1] * y.value[j] + n[3] * y.slope[j];
            sum.energy += x.value[i] * value + x.slope[i] * rise;
            sum.along_phi += x.d_value[i] * value + x.d_slope[i] * rise;
            sum.along_psi += x.value[i] * (n[0] * y.d_value[j] + n[2] * y.d_slope[j]) +
                             x.slope[i] * (n[1] * y.d_value[j] + n[3] * y.d_slope[j]);
        }
    sum.along_phi *= per_radian, sum.along_psi *= per_radian;
    return sum;
}

/// interpolate_one() for numbers, or for packs of them, whose lanes are looked up one by one;
/// `offset` in `maps` and `size` are whole numbers.
template <class T, class R>
AUREOLE_FN MapValue<R> interpolate(const T* maps, R offset, R size, R phi, R psi) {
    if constexpr (std::is_arithmetic_v<R>) {
        return interpolate_one(maps + static_cast<std::int64_t>(offset), static_cast<int>(size),
                               phi, psi);
    } else {
        alignas(64) T o[R::size], m[R::size], a[R::size], b[R::size];
        offset.store(o), size.store(m), phi.store(a), psi.store(b);
        for (int k = 0; k < R::size; ++k) {
            const auto one = interpolate_one(maps + static_cast<std::int64_t>(o[k]),
                                             static_cast<int>(m[k]), a[k], b[k]);
            o[k] = one.energy, a[k] = one.along_phi, b[k] = one.along_psi;
        }
        return {R::load(o), R::load(a), R::load(b)};
    }
}

}  // namespace aureole::md
