// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amr/adapt/criterion.hpp"
#include "amr/criteria.hpp"  // generated: AUREOLE_CRITERIA
#include "amr/hydro/leaves.hpp"
#include "amr/hydro/state.hpp"
#include "amr/tree/jumps.hpp"
#include "device/wide_team.hpp"

namespace aureole::amr {

/// The leaf at a place among all criteria.
AUREOLE_FN double value_of(int leaf, const Around& u) {
    int place = 0;
    double value = 0;
#define AUREOLE_VALUE(Leaf, name) \
    if (place++ == leaf) value = Leaf::value(u);
    AUREOLE_CRITERIA(AUREOLE_VALUE)
#undef AUREOLE_VALUE
    return value;
}

/// Flags of sub-grids: 1 where one is to be finer, −1 where it may be coarser, else 0. Halo cells
/// are found as those of stages.
struct FlagSubgrids {
    using device_kernel = void;
    HalosAtJumps halos;
    const Layer* layers;
    const std::int64_t* of_block;
    Ideal gas;
    const Criterion* criteria;
    int criteria_n;
    std::int8_t* flags;

    static std::int64_t scratch_bytes(BlockShape shape) {
        const auto values = std::int64_t{sizeof(double)} * places(shape);
        return values > HalosAtJumps::scratch_bytes(shape) ? values
                                                           : HalosAtJumps::scratch_bytes(shape);
    }

    AUREOLE_FN void operator()(device::WideTeam& team, std::int64_t block) const {
        const auto& shape = halos.shape;
        auto* const room = team.scratch<double>();
        for (int side = 0; side < 2 * shape.dims; ++side) {
            const auto face = of_block[block * 2 * shape.dims + side];
            if (face < 0) continue;
            halos.fill(face, team.rank(), team.size(), room);
            team.sync();
            halos.put(face, team.rank(), team.size(), room);
            team.sync();
        }
        int flag = -1;
        for (int k = 0; k < criteria_n; ++k) {
            const auto& of = criteria[k];
            for (int i = team.rank(); i < places(shape); i += team.size())
                room[i] = field_at(block, i, of.field);
            team.sync();
            double most = -1e308;
            for (int cell = team.rank(); cell < shape.cells(); cell += team.size())
                most = larger(most, value_of(of.leaf, around(room, cell)));
            most = team.reduce_max(most);
            const int wanted = most > of.above ? 1 : most < of.below ? -1 : 0;
            flag = flag > wanted ? flag : wanted;
            team.sync();
        }
        if (team.rank() == 0) flags[block] = static_cast<std::int8_t>(flag);
    }

  private:
    /// Cells, then layers beyond the faces.
    AUREOLE_FN static int places(BlockShape shape) {
        return shape.cells() + 2 * shape.dims * shape.lines();
    }
    AUREOLE_FN double field_at(std::int64_t block, int place, int field) const {
        const auto& shape = halos.shape;
        const int cells = shape.cells();
        double u[fields], w[fields];
        if (place < cells) {
            for (int f = 0; f < fields; ++f) u[f] = halos.reader().field_at(block, f, place);
        } else {
            const int side = (place - cells) / shape.lines(),
                      line = (place - cells) % shape.lines();
            const int axis = side / 2;
            const auto& layer =
                layers[layer_place(shape.dims, halos.halo, block, axis, side % 2, 0)];
            const int cell = shape.line_start(axis, line) + layer.layer * shape.stride(axis);
            for (int f = 0; f < fields; ++f)
                u[f] = layer.jump >= 0 ? *halos.halo_of(layer.jump, f, line)
                                       : halos.reader().field_at(layer.block, f, cell);
            if (layer.mirrored) u[1 + axis] = -u[1 + axis];
        }
        to_primitive(gas, u, w);
        return w[field];
    }
    AUREOLE_FN Around around(const double* values, int cell) const {
        const auto& shape = halos.shape;
        Around u;
        u.dims = shape.dims, u.here = values[cell];
        for (int axis = 0; axis < shape.dims; ++axis) {
            const int step = shape.stride(axis), k = cell / step % edge;
            const double* const beyond =
                values + shape.cells() + 2 * axis * shape.lines() + shape.line_of(axis, cell);
            u.low[axis] = k > 0 ? values[cell - step] : beyond[0];
            u.high[axis] = k < edge - 1 ? values[cell + step] : beyond[shape.lines()];
        }
        return u;
    }
};

/// A sub-grid of a new tree that is one of the old tree's, or the parent of some.
struct Move {
    std::int64_t from = 0;  ///< the first of them
    std::int64_t to = 0;
    std::int64_t is_mean = 0;  ///< of 2^dims cells; 0 or 1
};
/// Copies sub-grids, and takes means of those that become one.
struct MoveSubgrids {
    using device_kernel = void;
    CellReader old;
    const Move* moves;
    double* state;  ///< [block][field][cell]

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto& shape = old.shape;
        const int cells = shape.cells(), each = fields * cells, at = static_cast<int>(i % each);
        const int field = at / cells, cell = at % cells;
        const auto& move = moves[i / each];
        double* const to = state + move.to * each + at;
        if (move.is_mean == 0) {
            *to = old.field_at(move.from, field, cell);
            return;
        }
        const auto finer = finer_cells(shape, cell);
        *to = old.mean(move.from + finer.corner, field, finer.first);
    }
};

/// A sub-grid that becomes 2^dims finer ones.
struct Split {
    std::int64_t places = 0;  ///< of its cells and two beyond each face, where they begin
    std::int64_t to = 0;      ///< the first of the new ones
};
/// Their cells, by the operator of halos at jumps (parts.hpp). In 3-D those of each half, whose
/// patch fits into the memory of a block.
struct SplitSubgrids {
    using device_kernel = void;
    CellReader old;
    std::int64_t old_blocks;  ///< places with larger numbers are of the new state
    const CellSource* places;
    const Split* splits;
    double* state;

    static constexpr int beyond = 2, along = edge + 2 * beyond;
    static constexpr int half = edge / 2;
    /// Cells of the patch of one half.
    AUREOLE_FN static int patch_cells(BlockShape shape) {
        return along * (shape.dims > 1 ? along : 1) * (shape.dims > 2 ? half + 2 * beyond : 1);
    }
    static std::int64_t scratch_bytes(BlockShape shape) {
        return std::int64_t{sizeof(double)} * fields * patch_cells(shape);
    }

    AUREOLE_FN void operator()(device::WideTeam& team, std::int64_t item) const {
        for (int first = 0; first < (old.shape.dims > 2 ? edge : 1); first += half) {
            team.sync();  // the half before has been used
            read(team, item, first);
            team.sync();
            split(team, item, first);
        }
    }

  private:
    /// Cells whose last coordinate is `first` or one of those that follow in its half, and two
    /// beyond.
    AUREOLE_FN void read(const device::WideTeam& team, std::int64_t item, int first) const {
        const auto& shape = old.shape;
        const int all = patch_cells(shape);
        auto* const patch = team.scratch<double>();
        const CellReader fresh{shape, old.beyond, state};
        for (int i = team.rank(); i < all * fields; i += team.size()) {
            auto place = places[splits[item].places + first * along * along + i % all];
            const bool is_new = place.block >= old_blocks;
            if (is_new) place.block -= old_blocks;
            patch[i] = (is_new ? fresh : old).value(place, i / all);
        }
    }

    AUREOLE_FN void split(const device::WideTeam& team, std::int64_t item, int first) const {
        const auto& shape = old.shape;
        const int dims = shape.dims, all = patch_cells(shape), y_step = along;
        const int z_step = along * along, cells = dims > 2 ? shape.cells() / 2 : shape.cells();
        const auto* const patch = team.scratch<double>();
        for (int i = team.rank(); i < cells; i += team.size()) {
            const int x = i % edge, y = i / edge % edge, z = i / (edge * edge) + first;
            const int at = x + beyond + (dims > 1 ? (y + beyond) * y_step : 0) +
                           (dims > 2 ? (z - first + beyond) * z_step : 0);
            Parts part;
            PartsByField{{1, all}, {1, y_step, z_step}, dims}(patch, at, part);
            const bool physical = are_physical(part, dims);
            for (int k = 0; k < 1 << dims; ++k) {
                const int fine[3] = {2 * x + (k & 1), 2 * y + (k >> 1 & 1), 2 * z + (k >> 2)};
                int corner = 0, to = 0;
                for (int axis = 0; axis < dims; ++axis) {
                    corner |= fine[axis] / edge << axis;
                    to += fine[axis] % edge * shape.stride(axis);
                }
                for (int f = 0; f < fields; ++f)
                    state[((splits[item].to + corner) * fields + f) * shape.cells() + to] =
                        physical ? part[k][f] : patch[f * all + at];
            }
        }
    }
};

}  // namespace aureole::amr
