// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "amr/hydro/state.hpp"
#include "amr/mesh.hpp"
#include "amr/step/clock.hpp"

namespace aureole::amr {

/// Whether density and pressure are positive and finite.
template <class N>
AUREOLE_FN auto is_physical(const N* w) {
    const N zero(0.0), endless(std::numeric_limits<double>::infinity());
    return (zero < w[at::density]) & (w[at::density] < endless) & (zero < w[at::pressure]) &
           (w[at::pressure] < endless);
}

/// The first bad cell of a sub-grid of [block][field][cell].
template <class Gas>
AUREOLE_FN BadCell first_bad_cell(const Gas& gas, const double* conserved, BlockShape shape,
                                  std::int64_t block) {
    const int cells = shape.cells();
    for (int cell = 0; cell < cells; ++cell) {
        const double* const from = conserved + block * fields * cells + cell;
        double u[fields], w[fields];
        for (int f = 0; f < fields; ++f) u[f] = from[f * cells];
        to_primitive(gas, u, w);
        if (is_physical(w)) continue;
        const bool by_density = !(0 < w[at::density] && w[at::density] - w[at::density] == 0);
        const int field = by_density ? at::density : at::pressure;
        return {block, cell, field, w[field]};
    }
    return {};
}

/// What is known of all cells: the largest signal rate, and the first bad cell.
struct Look {
    double rate = 0;
    BadCell bad;
};

template <class Gas>
Look look_at(const Mesh& mesh, const Gas& gas, const double* conserved) {
    Look look;
    const int cells = mesh.shape().cells();
    double inverse_spacing[3] = {};
    for (int axis = 0; axis < mesh.dims; ++axis) inverse_spacing[axis] = 1 / mesh.spacing(axis);
    for (std::int64_t block = 0; block < mesh.blocks(); ++block) {
        look.bad = first_bad_cell(gas, conserved, mesh.shape(), block);
        if (look.bad.block >= 0) return look;
        for (int cell = 0; cell < cells; ++cell) {
            const double* const from = conserved + block * fields * cells + cell;
            double u[fields], w[fields];
            for (int f = 0; f < fields; ++f) u[f] = from[f * cells];
            to_primitive(gas, u, w);
            look.rate = std::max(look.rate, signal_rate(gas, w, inverse_spacing, mesh.dims));
        }
    }
    return look;
}

}  // namespace aureole::amr
