// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "amr/simulation.hpp"
#include "device/device.hpp"

namespace aureole::amr::testing {

/// A primitive state: density, velocity, pressure.
using State = std::array<double, fields>;

inline Mesh mesh_of(std::vector<int> roots, Boundary boundary = Boundary::periodic) {
    Mesh mesh;
    mesh.dims = static_cast<int>(roots.size());
    roots.resize(3, 1);
    mesh.roots = {roots[0], roots[1], roots[2]};
    mesh.boundary.fill(boundary);
    return mesh;
}

/// [5][nz][ny][nx] of a function of the centres of cells in a box from 0 to 1.
inline std::vector<double> primitive(const Mesh& mesh, const std::function<State(Vec3d)>& state) {
    const int n[3] = {mesh.cells_along(0), mesh.cells_along(1), mesh.cells_along(2)};
    std::vector<double> all(static_cast<std::size_t>(fields * mesh.cells()));
    std::size_t i = 0;
    const auto cells = static_cast<std::size_t>(mesh.cells());
    for (int z = 0; z < n[2]; ++z)
        for (int y = 0; y < n[1]; ++y)
            for (int x = 0; x < n[0]; ++x, ++i) {
                const auto w = state({(x + 0.5) / n[0], (y + 0.5) / n[1], (z + 0.5) / n[2]});
                for (std::size_t f = 0; f < fields; ++f) all[f * cells + i] = w[f];
            }
    return all;
}

/// [leaf][5][cell] of a function of the centres of cells, or also of their size, in cells of roots.
template <class F>
std::vector<double> on_leaves(const Tree& tree, F state) {
    const int cells = tree.mesh().shape().cells();
    std::vector<double> all(static_cast<std::size_t>(fields * tree.cells()));
    for (std::int64_t leaf = 0; leaf < tree.size(); ++leaf)
        for (int cell = 0; cell < cells; ++cell) {
            State w;
            if constexpr (requires { state(Vec3d{}, 1.0); })
                w = state(tree.center(leaf, cell), 1 / tree.refinement(leaf));
            else
                w = state(tree.center(leaf, cell));
            for (int f = 0; f < fields; ++f)
                all[static_cast<std::size_t>((leaf * fields + f) * cells + cell)] =
                    w[static_cast<std::size_t>(f)];
        }
    return all;
}

/// Expects the mass and energy that there were before to 1e-12 of them, and the momenta to 1e-12 of
/// one that a part of the gas has.
inline void expect_kept(const Totals& before, const Totals& after, double momentum = 1) {
    EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
    EXPECT_NEAR(after.energy, before.energy, 1e-12 * before.energy);
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(component(after.momentum, axis), component(before.momentum, axis),
                    1e-12 * momentum);
}

inline const State dense{1, 0, 0, 0, 1}, thin{0.125, 0, 0, 0, 0.1};

/// Smooth, different in all directions.
inline State lumps(Vec3d x) {
    const double t = 2 * std::numbers::pi;
    return {1 + 0.3 * std::sin(t * x.x) * std::cos(t * x.y), 0.4 * std::sin(t * (x.y + x.z)),
            0.3 * std::cos(t * x.x), 0.2 * std::sin(t * (x.x - x.z)),
            1 + 0.2 * std::cos(t * x.z) * std::sin(t * x.y)};
}

inline const Scheme plm{"plm", "hllc", 2, 0.4}, ppm{"ppm", "hllc", 3, 0.4};

inline const std::function<void()> no_interruption = [] {};
inline constexpr double no_end = std::numeric_limits<double>::infinity();

/// The GPU, where there is one.
inline std::vector<std::string> gpus() {
    std::vector<std::string> found;
    for (const auto& row : device::list_devices())
        if (row.name != "host" && row.available) found.push_back(row.name);
    return found;
}

}  // namespace aureole::amr::testing
