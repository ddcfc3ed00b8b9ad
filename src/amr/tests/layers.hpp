// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "amr/mesh.hpp"

// Layers beyond the faces of the sub-grids of a mesh without levels, found without a tree.
namespace aureole::amr::testing {

/// The layer of cells `depth` (1, 2, …) beyond the low or high face of a sub-grid.
inline Layer layer_beyond(const Mesh& mesh, std::int64_t block, int axis, bool high, int depth) {
    auto at = mesh.place(block);
    auto& root = component(at, axis);
    const int n = mesh.cells_along(axis);
    int cell = root * edge + (high ? edge - 1 + depth : -depth);
    bool mirrored = false;
    if (cell < 0 || cell >= n) {
        switch (mesh.boundary[static_cast<std::size_t>(2 * axis + (high ? 1 : 0))]) {
            case Boundary::periodic:
                cell = high ? cell - n : cell + n;
                break;
            case Boundary::fixed:  // its halo cells are kept apart
            case Boundary::outflow:
                cell = high ? n - 1 : 0;
                break;
            case Boundary::reflecting:
                cell = high ? 2 * n - 1 - cell : -1 - cell;
                mirrored = true;
                break;
        }
    }
    root = cell / edge;
    return {mesh.block_at(at), cell % edge, mirrored};
}

/// Layers beyond the faces of all sub-grids, depths 1 to `halo`: [block][axis][side][depth].
inline std::vector<Layer> layers_beyond(const Mesh& mesh, int halo) {
    std::vector<Layer> layers;
    for (std::int64_t block = 0; block < mesh.blocks(); ++block)
        for (int axis = 0; axis < mesh.dims; ++axis)
            for (int side = 0; side < 2; ++side)
                for (int depth = 1; depth <= halo; ++depth)
                    layers.push_back(layer_beyond(mesh, block, axis, side == 1, depth));
    return layers;
}

}  // namespace aureole::amr::testing
