// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "amr/mesh.hpp"
#include "amr/tree/parts.hpp"
#include "amr/tree/tree.hpp"

// Halo cells of sub-grids beside finer or coarser ones. All are found before a stage, and kept
// until its sub-grids read them.
namespace aureole::amr {

/// Where a value of the patch around a face comes from.
struct CellSource {
    std::int64_t block = 0;     ///< −1 where the value is not used
    std::int16_t cell = 0;      ///< of the block; the first one of those that are averaged
    std::uint8_t is_mean = 0;   ///< of 2^dims cells, which are half as wide
    std::uint8_t mirrored = 0;  ///< bit k: the momentum along axis k changes its sign
    std::int8_t fixed = -1;     ///< the face of the box beyond which it is, if that is fixed
};

/// Reads what places name.
struct CellReader {
    BlockShape shape;
    const double* beyond;  ///< [face of the box][field]: states that are fixed
    const double* input;   ///< [block][field][cell]

    AUREOLE_FN double field_at(std::int64_t block, int field, int cell) const {
        return input[(block * fields + field) * shape.cells() + cell];
    }
    /// The mean of 2^dims cells of a block, of which the first one is given. Sums of opposite
    /// cells, of pairs and of planes: mirrored cells give the same bits, and so do exchanged axes
    /// of planes.
    AUREOLE_FN double mean(std::int64_t block, int field, int first) const {
        const int x = 1, y = shape.stride(1), z = shape.stride(2);
        const auto at = [&](int cell) { return field_at(block, field, first + cell); };
        if (shape.dims == 1) return (at(0) + at(x)) / 2;
        const double plane = (at(0) + at(x + y)) + (at(x) + at(y));
        if (shape.dims == 2) return plane / 4;
        return (plane + ((at(z) + at(x + y + z)) + (at(x + z) + at(y + z)))) / 8;
    }
    AUREOLE_FN double value(const CellSource& place, int field) const {
        if (place.fixed >= 0) return beyond[place.fixed * fields + field];
        const double found = place.is_mean != 0 ? mean(place.block, field, place.cell)
                                                : field_at(place.block, field, place.cell);
        const bool turns = field >= 1 && field <= 3 && (place.mirrored >> (field - 1) & 1) != 0;
        return turns ? -found : found;
    }
};

/// All fields of the parts of a cell, with room for vectors of eight.
using Parts = double[8][8];

/// Whether density and internal energy of all parts of a cell are positive. Each field stays in the
/// range of its neighbours, but energy less that of motion need not: then the parts are like the
/// cell itself.
AUREOLE_FN bool are_physical(const Parts& part, int dims) {
    for (int k = 0; k < 1 << dims; ++k) {
        double motion = 0;
        for (int axis = 0; axis < 3; ++axis) motion += part[k][1 + axis] * part[k][1 + axis];
        if (!(part[k][0] > 0 && part[k][4] - 0.5 * (motion / part[k][0]) > 0)) return false;
    }
    return true;
}

/// Coarse cells in memory: values of one cell, and of one field, are so far apart.
struct PatchLayout {
    int of_cells, of_fields;
};

/// Finds the parts of a cell of a patch, one field after the other.
struct PartsByField {
    PatchLayout layout;
    std::array<int, 3> stride;  ///< between cells
    int dims;

    AUREOLE_FN void operator()(const double* patch, int cell, Parts& part) const {
        with_dims(dims, [&]<int axes>() {
            for (int field = 0; field < fields; ++field) {
                double one[8];
                parts_of_cell<axes>(
                    CoarseCell{patch + field * layout.of_fields + cell * layout.of_cells, stride},
                    one);
                for (int k = 0; k < 1 << axes; ++k) part[k][field] = one[k];
            }
        });
    }
};

/// A face of a sub-grid with sub-grids of another level beyond it, or with a state that is fixed.
struct JumpFace {
    std::int64_t block = 0;
    std::int8_t axis = 0, side = 0;
    bool is_to_finer = false, is_fixed = false;
    /// Finer sub-grids: those beyond each quarter (half, in two dimensions) of the face: the
    /// next axis runs fastest. Coarser ones: the first number is where in the list of places the
    /// patch of this face begins.
    std::array<std::int64_t, 4> beyond{};
};

/// Coarse cells around a face of a finer sub-grid, by which its halo cells are found: six along the
/// face's axis, of which two are on the sub-grid's side, and along the others eight, of which the
/// face has four. x runs fastest.
struct PatchShape {
    int dims, axis, side;

    static constexpr int along = 6, across = 8;
    AUREOLE_FN int extent(int of) const { return of == axis ? along : of < dims ? across : 1; }
    AUREOLE_FN int stride(int of) const {
        return of == 0 ? 1 : of == 1 ? extent(0) : extent(0) * extent(1);
    }
    AUREOLE_FN int cells() const { return extent(0) * extent(1) * extent(2); }
    /// Place along the axis of the m-th layer beyond the face, from 0.
    AUREOLE_FN int layer(int m) const { return side == 1 ? 2 + m : along - 3 - m; }
};

/// The place, in the patch around a face, of the first coarser cell beyond a line.
AUREOLE_FN int place_beyond(int dims, const JumpFace& face, int line) {
    const PatchShape of{dims, face.axis, face.side};
    const int one = face.axis == 0 ? 1 : 0, two = face.axis == 2 ? 1 : 2;
    return of.layer(0) * of.stride(face.axis) +
           (dims > 1 ? (line % edge / 2 + 2) * of.stride(one) : 0) +
           (dims > 2 ? (line / edge / 2 + 2) * of.stride(two) : 0);
}

/// The jumps of a tree, and faces that are fixed.
struct Jumps {
    std::vector<JumpFace> faces;
    std::vector<CellSource> places;
    /// [block][axis][side]: the face's number in `faces`; −1 for none.
    std::vector<std::int64_t> of_block;
    std::vector<std::int64_t> to_finer;  ///< faces whose cells are corrected
};
Jumps jumps_of(const Tree& tree);
/// Adds the places of a box of cells of a level, in coordinates among all of that level, x fastest.
/// Cells of a coarser leaf are those of `finer`, a later tree that has them: their blocks follow
/// those of the tree.
void add_places(const Tree& tree, int level, core::Vec3i low, core::Vec3i extent,
                std::vector<CellSource>& places, const Tree* finer = nullptr);

/// For each sub-grid, which others it reads in a stage or is read by, each once and without itself;
/// and of those with finer ones beyond a face, whose fluxes correct its own.
struct Neighbours {
    std::vector<std::vector<std::int64_t>> beside, corrected_by;
};
Neighbours neighbours_of(const Tree& tree, const Jumps& jumps);

/// Layers beyond the faces of all sub-grids, as layers_beyond() of a mesh. Where there is a jump,
/// they have its number.
std::vector<Layer> layers_beyond(const Tree& tree, const Jumps& jumps, int halo);
/// 2^level of each sub-grid.
std::vector<double> refinements(const Tree& tree);
/// [face of the box][field]: Mesh::beyond as one list.
std::vector<double> states_beyond(const Mesh& mesh);

/// Finds halo cells of faces at jumps: [face][field][line][depth] with conserved fields.
struct HalosAtJumps {
    BlockShape shape;
    int halo;
    const JumpFace* faces;
    const CellSource* places;
    const double* beyond;  ///< [face of the box][field]: states that are fixed
    const double* input;   ///< [block][field][cell]
    double* halos;

    AUREOLE_FN static std::int64_t values(BlockShape shape, int halo) {
        return std::int64_t{fields} * shape.lines() * halo;
    }
    AUREOLE_FN double* halo_of(std::int64_t face, int field, int line) const {
        return halos + ((face * fields + field) * shape.lines() + line) * halo;
    }
    /// Bytes of scratch memory for one face.
    AUREOLE_FN static std::int64_t scratch_bytes(BlockShape shape) {
        return std::int64_t{sizeof(double)} * fields * PatchShape{shape.dims, 0, 0}.cells();
    }

    /// The parts of the work for one face: `rank` of `size` lanes; all have done `fill` before any
    /// does `put`.
    AUREOLE_FN void fill(std::int64_t face, int rank, int size, double* patch) const {
        fill(face, rank, size, patch, by_field());
    }
    AUREOLE_FN void put(std::int64_t face, int rank, int size, const double* patch) const {
        const PatchShape of{shape.dims, faces[face].axis, faces[face].side};
        put(face, rank, size, patch, by_field(),
            PartsByField{by_field(), {of.stride(0), of.stride(1), of.stride(2)}, shape.dims});
    }
    /// As these, with another layout of the patch, and another way to find parts.
    AUREOLE_FN void fill(std::int64_t face, int rank, int size, double* patch,
                         PatchLayout layout) const {
        const JumpFace& at = faces[face];
        if (at.is_to_finer || at.is_fixed) return;
        const int cells = PatchShape{shape.dims, at.axis, at.side}.cells();
        for (int i = rank; i < cells; i += size) {
            const CellSource place = places[at.beyond[0] + i];
            for (int field = 0; field < fields && place.block >= 0; ++field)
                patch[field * layout.of_fields + i * layout.of_cells] =
                    reader().value(place, field);
        }
    }
    template <class PartsOf>
    AUREOLE_FN void put(std::int64_t face, int rank, int size, const double* patch,
                        PatchLayout layout, const PartsOf& parts_of) const {
        if (faces[face].is_fixed)
            put_fixed(face, rank, size);
        else if (faces[face].is_to_finer)
            put_means(face, rank, size);
        else
            put_parts(face, rank, size, patch, layout, parts_of);
    }

    AUREOLE_FN CellReader reader() const { return {shape, beyond, input}; }

  private:
    AUREOLE_FN PatchLayout by_field() const { return {1, PatchShape{shape.dims, 0, 0}.cells()}; }
    /// The axes along a face, in the order of a sub-grid's lines.
    AUREOLE_FN static int first_across(int axis) { return axis == 0 ? 1 : 0; }
    AUREOLE_FN static int second_across(int axis) { return axis == 2 ? 1 : 2; }

    AUREOLE_FN void put_fixed(std::int64_t face, int rank, int size) const {
        const JumpFace& at = faces[face];
        for (int line = rank; line < shape.lines(); line += size)
            for (int field = 0; field < fields; ++field)
                for (int depth = 0; depth < halo; ++depth)
                    halo_of(face, field, line)[depth] =
                        beyond[(2 * at.axis + at.side) * fields + field];
    }

    AUREOLE_FN void put_means(std::int64_t face, int rank, int size) const {
        const JumpFace& at = faces[face];
        const int one = first_across(at.axis), two = second_across(at.axis);
        for (int i = rank; i < shape.lines() * halo; i += size) {
            const int depth = i % halo, line = i / halo, a = line % edge, b = line / edge;
            const int layer = at.side == 1 ? 2 * depth : edge - 2 - 2 * depth;
            const int quarter = shape.dims == 1 ? 0 : a / 4 + 2 * (b / 4);
            const int cell = layer * shape.stride(at.axis) +
                             (shape.dims > 1 ? a % 4 * 2 * shape.stride(one) : 0) +
                             (shape.dims > 2 ? b % 4 * 2 * shape.stride(two) : 0);
            for (int field = 0; field < fields; ++field)
                halo_of(face, field, line)[depth] = reader().mean(at.beyond[quarter], field, cell);
        }
    }

    template <class PartsOf>
    AUREOLE_FN void put_parts(std::int64_t face, int rank, int size, const double* patch,
                              PatchLayout layout, const PartsOf& parts_of) const {
        const JumpFace& at = faces[face];
        const PatchShape of{shape.dims, at.axis, at.side};
        const int one = first_across(at.axis), two = second_across(at.axis);
        const int as = shape.dims > 1 ? 4 : 1, bs = shape.dims > 2 ? 4 : 1;
        const int layers = (halo + 1) / 2, all = layers * as * bs;
        for (int i = rank; i < all; i += size) {
            const int a = i % as, b = i / as % bs, m = i / (as * bs);
            const int cell = of.layer(m) * of.stride(at.axis) +
                             (shape.dims > 1 ? (a + 2) * of.stride(one) : 0) +
                             (shape.dims > 2 ? (b + 2) * of.stride(two) : 0);
            alignas(64) Parts part;
            parts_of(patch, cell, part);
            const bool all_physical = are_physical(part, shape.dims);
            for (int k = 0; k < 1 << shape.dims; ++k) {
                const int along = k >> at.axis & 1;
                const int depth = 2 * m + (at.side == 1 ? along : 1 - along);
                if (depth >= halo) continue;
                const int line = (shape.dims > 1 ? 2 * a + (k >> one & 1) : 0) +
                                 (shape.dims > 2 ? edge * (2 * b + (k >> two & 1)) : 0);
                for (int field = 0; field < fields; ++field)
                    halo_of(face, field, line)[depth] =
                        all_physical ? part[k][field]
                                     : patch[field * layout.of_fields + cell * layout.of_cells];
            }
        }
    }
};

/// Cells beside finer sub-grids get the mean of the fluxes that these have at the face in place of
/// their own, so that what leaves one side enters the other (Berger & Colella 1989).
struct CorrectFluxes {
    BlockShape shape;
    const std::int64_t* of_block;
    const JumpFace* faces;
    const double* fluxes;                   ///< [face][field][line], of the present stage
    double* output;                         ///< [block][field][cell], of the present stage
    double change;                          ///< weight × Δt of the stage
    std::array<double, 3> inverse_spacing;  ///< of the roots
    const double* refined;                  ///< [block] 2^level

    AUREOLE_FN static std::int64_t values(BlockShape shape) {
        return std::int64_t{fields} * shape.lines();
    }
    /// The i-th value at a face to finer sub-grids, of a cell with all such faces that it has. The
    /// first of these does it.
    AUREOLE_FN void correct(std::int64_t face, int i) const {
        const JumpFace& at = faces[face];
        const int field = i / shape.lines();
        const int cell = shape.line_start(at.axis, i % shape.lines()) +
                         (at.side == 1 ? edge - 1 : 0) * shape.stride(at.axis);
        double sum = 0;
        for (int axis = 0; axis < shape.dims; ++axis) {
            const int k = cell / shape.stride(axis) % edge;
            if (k != 0 && k != edge - 1) continue;
            const int side = k == 0 ? 0 : 1;
            const std::int64_t number = of_block[(at.block * shape.dims + axis) * 2 + side];
            if (number < 0 || !faces[number].is_to_finer) continue;
            if (axis < at.axis) return;
            const double more = lacking(number, field, shape.line_of(axis, cell));
            const double inverse = inverse_spacing[axis] * refined[at.block];
            sum += (side == 1 ? -more : more) * inverse;
        }
        output[(at.block * fields + field) * shape.cells() + cell] += change * sum;
    }

  private:
    AUREOLE_FN double flux(std::int64_t face, int field, int line) const {
        return fluxes[(face * fields + field) * shape.lines() + line];
    }
    /// What the flux through a cell's face lacks to the mean of the finer ones.
    AUREOLE_FN double lacking(std::int64_t number, int field, int line) const {
        const JumpFace& face = faces[number];
        const int dims = shape.dims, a = line % edge, b = line / edge;
        const int quarter = dims == 1 ? 0 : a / 4 + 2 * (b / 4);
        const std::int64_t beyond = face.beyond[quarter];
        const std::int64_t other = of_block[(beyond * dims + face.axis) * 2 + (1 - face.side)];
        double sum = 0;
        for (int second = 0; second < (dims > 2 ? 2 : 1); ++second) {
            double pair = 0;
            for (int first = 0; first < (dims > 1 ? 2 : 1); ++first)
                pair += flux(other, field,
                             (dims > 1 ? a % 4 * 2 + first : 0) +
                                 (dims > 2 ? edge * (b % 4 * 2 + second) : 0));
            sum += pair;
        }
        return sum / (1 << (dims - 1)) - flux(number, field, line);
    }
};

}  // namespace aureole::amr
