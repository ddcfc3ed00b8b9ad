// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/macros.hpp"
#include "core/vec3.hpp"

namespace aureole::amr {

using core::Vec3d;
using core::Vec3i;

/// Conserved fields of a cell: density, three components of momentum, total energy density. In the
/// same places primitive ones: density, velocity, pressure.
inline constexpr int fields = 5;
/// Cells of a sub-grid along each axis of the mesh.
inline constexpr int edge = 8;
/// Most sub-grids along an axis, of the finest level: keys (NodeKey) have 20 bits for each axis.
inline constexpr int most_along = 1 << 20;

/// `fixed`: a state that does not change lies beyond the face.
enum class Boundary { periodic, outflow, reflecting, fixed };

/// Throws core::InputError for names that are none.
Boundary boundary_named(const std::string& name);

/// The cells of one sub-grid: 8 along each of the mesh's axes, 1 along the others; x runs fastest.
struct BlockShape {
    int dims = 3;

    AUREOLE_FN int extent(int axis) const { return axis < dims ? edge : 1; }
    AUREOLE_FN int stride(int axis) const { return axis == 0 ? 1 : axis == 1 ? edge : edge * edge; }
    AUREOLE_FN int cells() const {
        return dims == 1 ? edge : dims == 2 ? edge * edge : edge * edge * edge;
    }
    /// Lines of cells along one axis.
    AUREOLE_FN int lines() const { return cells() / edge; }
    /// The first cell of a line along an axis; its others follow at stride(axis).
    AUREOLE_FN int line_start(int axis, int line) const {
        if (axis == 0) return line * edge;
        if (axis == 2) return line;
        return line / edge * (edge * edge) + line % edge;
    }
    /// The line along an axis that a cell is on.
    AUREOLE_FN int line_of(int axis, int cell) const {
        if (axis == 0) return cell / edge;
        if (axis == 2) return cell % (edge * edge);
        return cell / (edge * edge) * edge + cell % edge;
    }
};

/// The cells of finer sub-grids that cover a cell: the corner of the sub-grid that they are in, as
/// in NodeKey::child(), and the first of 2^dims.
struct FinerCells {
    int corner = 0, first = 0;
};
AUREOLE_FN FinerCells finer_cells(BlockShape shape, int cell) {
    FinerCells found;
    for (int axis = 0; axis < shape.dims; ++axis) {
        const int k = cell / shape.stride(axis) % edge;
        if (k >= edge / 2) found.corner |= 1 << axis;
        found.first += k % (edge / 2) * 2 * shape.stride(axis);
    }
    return found;
}

/// A box of roots × 8³ cells (8² or 8 in two and one dimensions), cut into sub-grids of 8 cells an
/// axis. Sub-grids are numbered with x fastest.
struct Mesh {
    int dims = 3;
    Vec3i roots{1, 1, 1};  ///< sub-grids along each axis; 1 along axes that the mesh does not have
    Vec3d lower{}, upper{1, 1, 1};
    std::array<Boundary, 6> boundary{};  ///< low and high face of x, of y, of z
    /// Conserved fields beyond the faces that are fixed.
    std::array<std::array<double, fields>, 6> beyond{};

    BlockShape shape() const { return {dims}; }
    int cells_along(int axis) const {
        return core::component(roots, axis) * (axis < dims ? edge : 1);
    }
    std::int64_t blocks() const { return std::int64_t(roots.x) * roots.y * roots.z; }
    std::int64_t cells() const { return blocks() * shape().cells(); }
    /// Length of a cell along an axis.
    double spacing(int axis) const;
    /// 1 / Δx along x, y and z; 0 along axes that the mesh does not have.
    std::array<double, 3> inverse_spacings() const;
    double cell_volume() const;
    /// The sub-grid's place among all, counted in sub-grids.
    Vec3i place(std::int64_t block) const;
    std::int64_t block_at(Vec3i place) const {
        return (std::int64_t(place.z) * roots.y + place.y) * roots.x + place.x;
    }
};

/// Throws core::InputError for a mesh that cannot be.
void check(const Mesh& mesh);

/// Where the contents of a layer of cells beyond a face come from.
struct Layer {
    std::int64_t block;  ///< the sub-grid that holds it
    int layer;           ///< its layer of cells along the axis, from 0
    bool mirrored;       ///< whether the momentum along the axis changes its sign
    /// A face whose halo cells are kept apart (JumpFace): beyond it are sub-grids of another level,
    /// or a state that is fixed; −1: none.
    std::int64_t jump = -1;
};

/// The index of a layer in a list [block][axis][side][depth], with its depth counted from 0.
AUREOLE_FN constexpr std::int64_t layer_place(int dims, int halo, std::int64_t block, int axis,
                                              int side, int depth) {
    return ((block * dims + axis) * 2 + side) * halo + depth;
}

}  // namespace aureole::amr
