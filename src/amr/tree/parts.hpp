// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "amr/hydro/numbers.hpp"

// From coarse cells to the parts that they are refined into: halo cells of finer sub-grids beside
// coarser ones, and new sub-grids.
namespace aureole::amr {

/// A cell among others of its size: neighbours along an axis are `stride` values apart, two of them
/// on each side.
struct CoarseCell {
    const double* at;
    std::array<int, 3> stride;
    int dims;

    AUREOLE_FN double operator()(int axis, int distance) const {
        return at[distance * stride[axis]];
    }
};

namespace parts {

AUREOLE_FN double absolute_of(double x) { return x < 0 ? -x : x; }

/// Half of the difference of both neighbours where the second differences of three cells have one
/// sign and are alike, as at smooth extrema; elsewhere, where it is not `smooth`, limited to twice
/// the difference to either neighbour, and zero at an extremum (van Leer 1977).
AUREOLE_FN double slope(const CoarseCell& u, int axis, bool& smooth) {
    const double low = u(axis, 0) - u(axis, -1), high = u(axis, 1) - u(axis, 0);
    const double central = 0.5 * (low + high);
    const double before = low - (u(axis, -1) - u(axis, -2)), here = high - low,
                 after = (u(axis, 2) - u(axis, 1)) - high;
    const double a = absolute_of(before), b = absolute_of(here), c = absolute_of(after);
    const double least = smaller(a, smaller(b, c)), most = larger(a, larger(b, c));
    const bool one_sign = before * here > 0 && here * after > 0;
    if (one_sign && most <= 4 * least) return central;
    smooth = false;
    if (!(low * high > 0)) return 0;
    const double bound = 2 * smaller(absolute_of(low), absolute_of(high));
    return absolute_of(central) <= bound ? central : central < 0 ? -bound : bound;
}

/// The mixed difference along two axes, of neighbours across corners. Opposite ones are added: the
/// bits do not depend on the order of the axes.
AUREOLE_FN double corners(const double* at, int i, int j) {
    return (at[i + j] + at[-i - j]) - (at[i - j] + at[j - i]);
}
AUREOLE_FN double cross(const CoarseCell& u, int a, int b) {
    return 0.25 * corners(u.at, u.stride[a], u.stride[b]);
}
AUREOLE_FN double cross_of_three(const CoarseCell& u) {
    const int i = u.stride[0], j = u.stride[1], k = u.stride[2];
    return 0.125 * (corners(u.at + k, i, j) - corners(u.at - k, i, j));
}

/// The factor with which changes of a cell from `least` to `most` stay in the range of the cells
/// used: neighbours at faces, edges and corners.
template <int dims>
AUREOLE_FN double scale_into_range(const CoarseCell& u, double most, double least) {
    constexpr int beside_y = dims > 1 ? 1 : 0, beside_z = dims > 2 ? 1 : 0;
    double above = 0, below = 0;
    for (int z = -beside_z; z <= beside_z; ++z)
        for (int y = -beside_y; y <= beside_y; ++y)
            for (int x = -1; x <= 1; ++x) {
                const int at = x * u.stride[0] + y * u.stride[1] + z * u.stride[2];
                const double beyond = u.at[at] - u.at[0];
                above = larger(above, beyond), below = smaller(below, beyond);
            }
    double scale = 1;
    if (most > above) scale = above / most;
    if (least < below) scale = smaller(scale, below / least);
    return scale;
}

template <int dims>
AUREOLE_FN void of_cell(const CoarseCell& u, double* part) {
    constexpr int n = 1 << dims;
    double quarter[3], cross[3] = {0, 0, 0}, three = 0;
    bool smooth = true;
    AUREOLE_UNROLL
    for (int axis = 0; axis < dims; ++axis) quarter[axis] = 0.25 * slope(u, axis, smooth);
    if (dims > 1) cross[0] = parts::cross(u, 0, 1) / 16;
    if (dims > 2) {
        cross[1] = parts::cross(u, 0, 2) / 16, cross[2] = parts::cross(u, 1, 2) / 16;
        three = cross_of_three(u) / 64;
    }
    double most = 0, least = 0;
    AUREOLE_UNROLL
    for (int k = 0; k < n; ++k) {
        const double x = k & 1 ? 1 : -1, y = k & 2 ? 1 : -1, z = k & 4 ? 1 : -1;
        double change = x * quarter[0];
        if (dims > 1) change = (change + y * quarter[1]) + x * y * cross[0];
        if (dims > 2)
            change += z * quarter[2] + (x * z * cross[1] + y * z * cross[2] + x * y * z * three);
        part[k] = change;
        most = larger(most, change), least = smaller(least, change);
    }
    const double scale = smooth || most == least ? 1 : scale_into_range<dims>(u, most, least);
    for (int k = 0; k < n; ++k) part[k] = u.at[0] + scale * part[k];
}

}  // namespace parts

/// Averages of the parts of a cell, [2^dims] with x fastest: their mean is that of the cell. Linear
/// with cross terms; where a slope is not smooth, all are scaled together so that no part leaves
/// the range of the cells used.
AUREOLE_FN void parts_of_cell(const CoarseCell& u, double* part) {
    if (u.dims == 3)
        parts::of_cell<3>(u, part);
    else if (u.dims == 2)
        parts::of_cell<2>(u, part);
    else
        parts::of_cell<1>(u, part);
}

}  // namespace aureole::amr
