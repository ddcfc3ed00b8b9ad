// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "amr/hydro/leaves.hpp"
#include "amr/hydro/state.hpp"
#include "amr/mesh.hpp"
#include "amr/tree/jumps.hpp"

// One stage of one sub-grid in five kernels (docs/theory/fluids.md). Its cells are kept as lines
// along each axis, with the halo cells at their ends.
namespace aureole::amr {

/// Places in the memory of a sub-grid's kernels.
struct SubgridShape {
    BlockShape block;
    int halo = 2;

    AUREOLE_FN int length() const { return edge + 2 * halo; }
    AUREOLE_FN int all_lines() const { return block.dims * block.lines(); }
    /// Place of a line in [axis][field][line][cell], with `length` cells a line.
    AUREOLE_FN int line(int axis, int field, int line, int length) const {
        return ((axis * fields + field) * block.lines() + line) * length;
    }
    AUREOLE_FN int line_values(int length) const { return all_lines() * fields * length; }
    /// Values in the record that comes from the host: cells of the stage's input, [field][cell],
    /// the layers of halo cells [axis][side][field][line][depth], nearest first, and the cells of
    /// the step's start.
    AUREOLE_FN int cells_values() const { return fields * block.cells(); }
    AUREOLE_FN int layer(int axis, int side, int field, int line) const {
        return cells_values() +
               (((2 * axis + side) * fields + field) * block.lines() + line) * halo;
    }
    AUREOLE_FN int base() const { return layer(block.dims, 0, 0, 0); }
    AUREOLE_FN int input_values() const { return base() + cells_values(); }
};

/// Where the i-th value of the lines comes from.
struct LineCell {
    int axis, field, line;
    int k;  ///< the cell of the line; halo cells are before 0 and from 8 on

    AUREOLE_FN LineCell(const SubgridShape& shape, std::int64_t i) {
        const int length = shape.length(), row = static_cast<int>(i) / length;
        const int part = row / shape.block.lines();
        k = static_cast<int>(i) % length - shape.halo;
        line = row % shape.block.lines();
        field = part % fields, axis = part / fields;
    }
    AUREOLE_FN bool is_halo() const { return k < 0 || k >= edge; }
    AUREOLE_FN int side() const { return k < 0 ? 0 : 1; }
    /// Depth of a halo cell, from 0.
    AUREOLE_FN int depth() const { return k < 0 ? -k - 1 : k - edge; }
    AUREOLE_FN int cell(const BlockShape& block) const {
        return block.line_start(axis, line) + k * block.stride(axis);
    }
};

/// Gathers conserved fields of cells and halo into lines.
struct GatherLines {
    using device_kernel = void;
    SubgridShape shape;
    const double* input;
    double* lines;

    AUREOLE_FN static std::int64_t items(const SubgridShape& shape) {
        return shape.line_values(shape.length());
    }
    AUREOLE_FN void operator()(std::int64_t i) const {
        const LineCell at(shape, i);
        lines[i] = at.is_halo()
                       ? input[shape.layer(at.axis, at.side(), at.field, at.line) + at.depth()]
                       : input[at.field * shape.block.cells() + at.cell(shape.block)];
    }
};

/// Gathers the lines from the fields of all sub-grids, [block][field][cell].
struct GatherFromFields {
    using device_kernel = void;
    SubgridShape shape;
    std::int64_t block;
    const double* input;
    const Layer* layers;  ///< layers_beyond()
    const double* halos;  ///< of faces at jumps, see HalosAtJumps
    double* lines;

    AUREOLE_FN static std::int64_t items(const SubgridShape& shape) {
        return GatherLines::items(shape);
    }
    AUREOLE_FN void operator()(std::int64_t i) const {
        const LineCell at(shape, i);
        const auto& box = shape.block;
        if (!at.is_halo()) {
            lines[i] = input[(block * fields + at.field) * box.cells() + at.cell(box)];
            return;
        }
        const Layer& layer =
            layers[layer_place(box.dims, shape.halo, block, at.axis, at.side(), at.depth())];
        if (layer.jump >= 0) {
            lines[i] =
                halos[((layer.jump * fields + at.field) * box.lines() + at.line) * shape.halo +
                      at.depth()];
            return;
        }
        const double value =
            input[(layer.block * fields + at.field) * box.cells() +
                  box.line_start(at.axis, at.line) + layer.layer * box.stride(at.axis)];
        lines[i] = layer.mirrored && at.field == 1 + at.axis ? -value : value;
    }
};

/// Lines of conserved fields become primitive ones in place, with the velocity along the line
/// first.
template <class Gas>
struct LinesToPrimitive {
    using device_kernel = void;
    SubgridShape shape;
    Gas gas;
    double* lines;

    AUREOLE_FN static std::int64_t items(const SubgridShape& shape) {
        return shape.all_lines() * shape.length();
    }
    AUREOLE_FN void operator()(std::int64_t i) const {
        const int length = shape.length(), row = static_cast<int>(i) / length,
                  k = static_cast<int>(i) % length;
        const int axis = row / shape.block.lines(), line = row % shape.block.lines();
        double u[fields], w[fields];
        double* const first = lines + shape.line(axis, 0, line, length) + k;
        const int step = shape.block.lines() * length;
        for (int f = 0; f < fields; ++f) u[f] = first[f * step];
        to_primitive(gas, u, w);
        for (int f = 0; f < fields; ++f) first[turned(f, axis) * step] = w[f];
    }
};

/// Values at both faces of cells −1 to 8 of each line.
struct ReconstructLines {
    using device_kernel = void;
    SubgridShape shape;
    int reconstruction;  ///< its place in the list of all
    const double* lines;
    double *low, *high;

    AUREOLE_FN static std::int64_t items(const SubgridShape& shape) {
        return shape.all_lines() * fields;
    }
    AUREOLE_FN void operator()(std::int64_t i) const {
        with_reconstruction_at(reconstruction, [&](auto leaf) {
            leaf.line(lines + i * shape.length(), low + i * (edge + 2), high + i * (edge + 2));
        });
    }
};

/// Fluxes through the faces of each line.
template <class Gas>
struct LineFluxes {
    using device_kernel = void;
    SubgridShape shape;
    int riemann;  ///< the solver's place in the list of all
    Gas gas;
    const double *lines, *low, *high;
    double* flux;

    AUREOLE_FN static std::int64_t items(const SubgridShape& shape) {
        return shape.all_lines() * (edge + 1);
    }
    AUREOLE_FN void operator()(std::int64_t i) const {
        const int row = static_cast<int>(i) / (edge + 1), face = static_cast<int>(i) % (edge + 1);
        const int axis = row / shape.block.lines(), line = row % shape.block.lines();
        double low_of[fields], left[fields], right[fields], high_of[fields], through[fields];
        states(axis, line, face, low_of, left);
        states(axis, line, face + 1, right, high_of);
        with_riemann_at(riemann, [&](auto leaf) { leaf.flux(gas, left, right, through); });
        for (int f = 0; f < fields; ++f)
            flux[shape.line(axis, f, line, edge + 1) + face] = through[f];
    }

  private:
    /// At both faces of a cell, counted from the one before the sub-grid.
    AUREOLE_FN void states(int axis, int line, int cell, double* at_low, double* at_high) const {
        double w[fields];
        for (int f = 0; f < fields; ++f) {
            w[f] = lines[shape.line(axis, f, line, shape.length()) + cell + shape.halo - 1];
            at_low[f] = low[shape.line(axis, f, line, edge + 2) + cell];
            at_high[f] = high[shape.line(axis, f, line, edge + 2) + cell];
        }
        keep_positive(w, at_low, at_high);
    }
};

/// Cells around the faces at jumps of a sub-grid, and then their halo cells: parts of HalosAtJumps.
struct FillPatches {
    using device_kernel = void;
    HalosAtJumps halos;
    std::int64_t first;  ///< of the faces, which follow each other
    double* patches;

    AUREOLE_FN static int values(const SubgridShape& shape) {
        return fields * PatchShape{shape.block.dims, 0, 0}.cells();
    }
    AUREOLE_FN static std::int64_t items(const SubgridShape& shape) {
        return values(shape) / fields;
    }
    AUREOLE_FN void operator()(std::int64_t i) const {
        const int each = PatchShape{halos.shape.dims, 0, 0}.cells();
        const std::int64_t face = i / each;
        halos.fill(first + face, static_cast<int>(i % each), each, patches + face * fields * each);
    }
};
struct PutHalos {
    using device_kernel = void;
    HalosAtJumps halos;
    std::int64_t first;
    const double* patches;

    AUREOLE_FN static std::int64_t items(const SubgridShape& shape) {
        return shape.block.lines() * shape.halo;
    }
    AUREOLE_FN void operator()(std::int64_t i) const {
        const int each = halos.shape.lines() * halos.halo;
        const int patch = fields * PatchShape{halos.shape.dims, 0, 0}.cells();
        halos.put(first + i / each, static_cast<int>(i % each), each, patches + i / each * patch);
    }
};

/// Fluxes through the faces at jumps of a sub-grid, [face][field][line].
struct KeepFluxes {
    using device_kernel = void;
    SubgridShape shape;
    const JumpFace* faces;
    std::int64_t first;
    const double* flux;
    double* fluxes;  ///< of the first of these faces

    AUREOLE_FN void operator()(std::int64_t i) const {
        const int lines = shape.block.lines(), line = static_cast<int>(i) % lines;
        const int row = static_cast<int>(i) / lines, field = row % fields;
        const JumpFace& face = faces[first + row / fields];
        fluxes[i] = flux[shape.line(face.axis, turned(field, face.axis), line, edge + 1) +
                         face.side * edge];
    }
};

/// CorrectFluxes of one sub-grid.
struct CorrectCells {
    using device_kernel = void;
    CorrectFluxes fluxes;
    std::int64_t first;  ///< of its faces

    AUREOLE_FN void operator()(std::int64_t i) const {
        const std::int64_t each = CorrectFluxes::values(fluxes.shape), face = first + i / each;
        if (fluxes.faces[face].is_to_finer) fluxes.correct(face, static_cast<int>(i % each));
    }
};

/// The stage's output of each cell: base + weight ((input − base) + Δt (fluxes in − fluxes out) /
/// Δx).
struct UpdateCells {
    using device_kernel = void;
    SubgridShape shape;
    const double *base, *input, *flux;
    double dt, weight;
    std::array<double, 3> inverse_spacing;
    double* output;

    AUREOLE_FN static std::int64_t items(const SubgridShape& shape) { return shape.block.cells(); }
    AUREOLE_FN void operator()(std::int64_t i) const {
        const int cell = static_cast<int>(i), cells = shape.block.cells();
        double rate[fields] = {};
        for (int axis = 0; axis < shape.block.dims; ++axis) {
            const int k = cell / shape.block.stride(axis) % edge;
            const int line = shape.block.line_of(axis, cell);
            for (int f = 0; f < fields; ++f) {
                const double* const at =
                    flux + shape.line(axis, turned(f, axis), line, edge + 1) + k;
                const double gain = (at[0] - at[1]) * inverse_spacing[axis];
                rate[f] = axis == 0 ? gain : rate[f] + gain;
            }
        }
        for (int f = 0; f < fields; ++f)
            output[f * cells + cell] =
                advanced(base[f * cells + cell], input[f * cells + cell], rate[f], dt, weight);
    }
};

}  // namespace aureole::amr
