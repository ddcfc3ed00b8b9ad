// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "amr/hydro/state.hpp"
#include "amr/mesh.hpp"
#include "amr/step/clock.hpp"
#include "amr/tree/tree.hpp"

namespace aureole::amr {

/// Whether density and pressure are positive and finite.
template <class N>
AUREOLE_FN auto is_physical(const N* w) {
    const N zero(0.0), endless(std::numeric_limits<double>::infinity());
    return (zero < w[at::density]) & (w[at::density] < endless) & (zero < w[at::pressure]) &
           (w[at::pressure] < endless);
}

/// Findings about some cells: the largest signal rate, and the first bad cell.
struct Look {
    double rate = 0;  ///< see signal_rate(); of the cells before a bad one
    BadCell bad;
};

/// Looks at the cells of one sub-grid of [block][field][cell]; `refined` is 2^level.
template <class Gas>
AUREOLE_FN Look look_at(const Gas& gas, const double* conserved, BlockShape shape,
                        const std::array<double, 3>& inverse_spacing, std::int64_t block,
                        double refined = 1) {
    Look look;
    const int cells = shape.cells();
    for (int cell = 0; cell < cells; ++cell) {
        const double* const from = conserved + block * fields * cells + cell;
        double u[fields], w[fields];
        for (int f = 0; f < fields; ++f) u[f] = from[f * cells];
        to_primitive(gas, u, w);
        if (!is_physical(w)) {
            const bool by_density = !(0 < w[at::density] && w[at::density] - w[at::density] == 0);
            const int field = by_density ? at::density : at::pressure;
            look.bad = {block, cell, field, w[field]};
            return look;
        }
        look.rate = larger(look.rate, signal_rate(gas, w, inverse_spacing, shape.dims) * refined);
    }
    return look;
}

/// Joins the findings about two sets of cells; the cells of `first` come first.
inline Look joined(const Look& first, const Look& second) {
    return {larger(first.rate, second.rate), first.bad.block < 0 ? second.bad : first.bad};
}

/// Looks at the cells of all sub-grids.
template <class Gas>
Look look_at(const Tree& tree, const Gas& gas, const double* conserved) {
    const auto inverse_spacing = tree.mesh().inverse_spacings();
    Look look;
    for (std::int64_t leaf = 0; leaf < tree.size(); ++leaf)
        look = joined(look, look_at(gas, conserved, tree.mesh().shape(), inverse_spacing, leaf,
                                    tree.refinement(leaf)));
    return look;
}

}  // namespace aureole::amr
