// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "amr/hydro/numbers.hpp"

// From coarse cells to the parts that they are refined into: halo cells of finer sub-grids beside
// coarser ones, and new sub-grids.
namespace aureole::amr {

/// A field of a cell among others of its size: neighbours along an axis are `stride` values apart,
/// two of them on each side.
struct CoarseCell {
    using Number = double;
    const double* at;
    std::array<int, 3> stride;

    AUREOLE_FN double operator()(int offset) const { return at[offset]; }
};

namespace parts {

template <class N>
struct Slope {
    N value, is_rough;  ///< 0 or 1
};

/// Half of the difference of both neighbours where the second differences of three cells have one
/// sign and are alike, as at smooth extrema; elsewhere, where the field is rough, limited to twice
/// the difference to either neighbour, and zero at an extremum (van Leer 1977).
template <class Cells, class N = typename Cells::Number>
AUREOLE_FN Slope<N> slope(const Cells& u, int step) {
    const N zero(0.0), one(1.0);
    const N low = u(0) - u(-step), high = u(step) - u(0), central = N(0.5) * (low + high);
    const N before = low - (u(-step) - u(-2 * step)), here = high - low,
            after = (u(2 * step) - u(step)) - high;
    const N a = absolute(before), b = absolute(here), c = absolute(after);
    const N least = smaller(a, smaller(b, c)), most = larger(a, larger(b, c));
    const auto one_sign = (zero < before * here) & (zero < here * after);
    const N is_rough = select(one_sign, select(N(4.0) * least < most, one, zero), one);
    const N bound = N(2.0) * smaller(absolute(low), absolute(high));
    N limited = select(bound < absolute(central), select(central < zero, -bound, bound), central);
    limited = select(zero < low * high, limited, zero);
    return {select(zero < is_rough, limited, central), is_rough};
}

/// The mixed difference along two axes, of neighbours across corners of a cell; opposite ones are
/// added, so that the bits do not depend on the order of the axes.
template <class Cells>
AUREOLE_FN auto corners(const Cells& u, int cell, int i, int j) {
    return (u(cell + i + j) + u(cell - i - j)) - (u(cell + i - j) + u(cell + j - i));
}

/// The factor with which changes of a cell from `least` to `most` stay in the range of the cells
/// used: neighbours at faces, edges and corners.
template <int dims, class Cells, class N = typename Cells::Number>
AUREOLE_FN N scale_into_range(const Cells& u, N most, N least) {
    constexpr int beside_y = dims > 1 ? 1 : 0, beside_z = dims > 2 ? 1 : 0;
    N above(0.0), below(0.0);
    for (int z = -beside_z; z <= beside_z; ++z)
        for (int y = -beside_y; y <= beside_y; ++y)
            for (int x = -1; x <= 1; ++x) {
                const N beyond = u(x * u.stride[0] + y * u.stride[1] + z * u.stride[2]) - u(0);
                above = larger(above, beyond), below = smaller(below, beyond);
            }
    const N one(1.0);
    return smaller(select(above < most, above / most, one),
                   select(least < below, below / least, one));
}

}  // namespace parts

/// Averages of the parts of a cell, [2^dims] with x fastest: their mean is that of the cell. Linear
/// with cross terms; where a slope is rough, all are scaled together so that no part leaves the
/// range of the cells used.
template <int dims, class Cells, class N = typename Cells::Number>
AUREOLE_FN void parts_of_cell(const Cells& u, N* part) {
    constexpr int n = 1 << dims;
    const auto& step = u.stride;
    N quarter[3], cross[3], three(0.0), is_rough(0.0);
    AUREOLE_UNROLL
    for (int axis = 0; axis < dims; ++axis) {
        const auto slope = parts::slope(u, step[axis]);
        quarter[axis] = N(0.25) * slope.value;
        is_rough = larger(is_rough, slope.is_rough);
    }
    if constexpr (dims > 1) cross[0] = N(0.25 / 16) * parts::corners(u, 0, step[0], step[1]);
    if constexpr (dims > 2) {
        cross[1] = N(0.25 / 16) * parts::corners(u, 0, step[0], step[2]);
        cross[2] = N(0.25 / 16) * parts::corners(u, 0, step[1], step[2]);
        three = N(0.125 / 64) * (parts::corners(u, step[2], step[0], step[1]) -
                                 parts::corners(u, -step[2], step[0], step[1]));
    }
    N most(0.0), least(0.0);
    AUREOLE_UNROLL
    for (int k = 0; k < n; ++k) {
        const double x = k & 1 ? 1 : -1, y = k & 2 ? 1 : -1, z = k & 4 ? 1 : -1;
        N change = N(x) * quarter[0];
        if constexpr (dims > 1) change = (change + N(y) * quarter[1]) + N(x * y) * cross[0];
        if constexpr (dims > 2)
            change = change + (N(z) * quarter[2] +
                               (N(x * z) * cross[1] + N(y * z) * cross[2] + N(x * y * z) * three));
        part[k] = change;
        most = larger(most, change), least = smaller(least, change);
    }
    const auto rough = N(0.0) < is_rough;
    N scale(1.0);
    if (any(rough & (least < most)))
        scale = select(rough, parts::scale_into_range<dims>(u, most, least), scale);
    for (int k = 0; k < n; ++k) part[k] = u(0) + scale * part[k];
}

/// f<dims>() for a number of axes.
template <class F>
AUREOLE_FN void with_dims(int dims, F f) {
    if (dims == 3)
        f.template operator()<3>();
    else if (dims == 2)
        f.template operator()<2>();
    else
        f.template operator()<1>();
}

}  // namespace aureole::amr
