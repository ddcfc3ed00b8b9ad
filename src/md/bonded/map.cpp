// SPDX-License-Identifier: Apache-2.0
#include "md/bonded/map.hpp"

#include <cstddef>

namespace aureole::md {

namespace {

/// Nodes on either side of a row beyond which a natural spline is the periodic one to rounding:
/// what its ends do decays by 2 − √3 from node to node.
constexpr std::size_t far_away = 40;

/// Slopes times the spacing at the nodes of a periodic row: those of the natural cubic spline
/// through more than one period of it, read off in the middle. GROMACS takes two periods, by which
/// slopes differ from those of the row's own periodic spline: by 1e-7 with 24 nodes, by 3 % with 4.
std::vector<double> spline_slopes(const std::vector<double>& row, bool periodic) {
    const auto m = row.size(), half = periodic ? far_away : m / 2;
    const auto n = periodic ? m + 2 * far_away : 2 * m;
    const auto y = [&](std::size_t i) { return row[(i + (far_away + 1) * m - half) % m]; };
    // Second derivatives c (times the spacing squared): c[i-1] + 4 c[i] + c[i+1] = 6 (second
    // differences), with c = 0 at both ends; elimination, then back substitution.
    std::vector<double> factor(n, 0.0), c(n, 0.0);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double pivot = 1 / (4 - factor[i - 1]);
        factor[i] = pivot;
        c[i] = (6 * (y(i + 1) - 2 * y(i) + y(i - 1)) - c[i - 1]) * pivot;
    }
    for (std::size_t i = n - 1; i-- > 0;) c[i] -= factor[i] * c[i + 1];
    std::vector<double> slope(m);
    for (std::size_t k = 0; k < m; ++k) {
        const auto i = k + half;
        slope[k] = y(i + 1) - y(i) - (2 * c[i] + c[i + 1]) / 6;
    }
    return slope;
}

/// Slopes along the first (stride of a row) or the second angle.
std::vector<double> slopes_along(const std::vector<double>& values, int size, bool first,
                                 bool periodic) {
    const auto m = static_cast<std::size_t>(size);
    std::vector<double> out(m * m), row(m);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < m; ++j) row[j] = values[first ? j * m + i : i * m + j];
        const auto slope = spline_slopes(row, periodic);
        for (std::size_t j = 0; j < m; ++j) out[first ? j * m + i : i * m + j] = slope[j];
    }
    return out;
}

}  // namespace

std::vector<double> map_nodes(const std::vector<double>& energies, int size, bool periodic) {
    const auto along_phi = slopes_along(energies, size, true, periodic);
    const auto along_psi = slopes_along(energies, size, false, periodic);
    const auto mixed = slopes_along(along_psi, size, true, periodic);
    std::vector<double> nodes;
    nodes.reserve(energies.size() * numbers_of_node);
    for (std::size_t k = 0; k < energies.size(); ++k)
        nodes.insert(nodes.end(), {energies[k], along_phi[k], along_psi[k], mixed[k]});
    return nodes;
}

}  // namespace aureole::md
