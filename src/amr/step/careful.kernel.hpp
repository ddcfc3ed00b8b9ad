// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amr/hydro/state.hpp"
#include "amr/step/look.hpp"
#include "amr/tree/jumps.hpp"
#include "device/team.hpp"

// Work of a step that is made again with care (docs/theory/fluids.md), beside its stages.
namespace aureole::amr {

/// Bad cells of a sub-grid: those whose fluxes were not yet of first order, with the faces of the
/// sub-grid that they touch, and others.
struct BadCells {
    int fresh = 0, stubborn = 0;
    unsigned faces = 0;  ///< bit 2 axis + side

    AUREOLE_FN void add(BlockShape shape, int cell) {
        ++fresh;
        for (int axis = 0; axis < shape.dims; ++axis) {
            const int k = cell / shape.stride(axis) % edge;
            if (k == 0) faces |= 1u << (2 * axis);
            if (k == edge - 1) faces |= 2u << (2 * axis);
        }
    }
};

/// Flags the bad cells of sub-grids in the output of a stage.
template <class Gas>
struct FlagBadCells {
    using device_kernel = void;
    BlockShape shape;
    Gas gas;
    const double* output;
    const std::int64_t* listed;  ///< the sub-grids
    std::uint8_t* careful;       ///< [block][cell]
    BadCells* found;             ///< [item]

    AUREOLE_FN void operator()(device::Team& team, std::int64_t item) const {
        const std::int64_t block = listed[item];
        const int cells = shape.cells();
        BadCells bad;
        for (int cell = team.rank(); cell < cells; cell += team.size()) {
            double u[fields], w[fields];
            for (int f = 0; f < fields; ++f) u[f] = output[(block * fields + f) * cells + cell];
            to_primitive(gas, u, w);
            if (is_physical(w)) continue;
            auto& flag = careful[block * cells + cell];
            if (flag == 0)
                bad.add(shape, cell);
            else
                ++bad.stubborn;
            flag = 1;
        }
        bad.fresh = team.reduce_sum(bad.fresh), bad.stubborn = team.reduce_sum(bad.stubborn);
        unsigned faces = 0;
        for (unsigned k = 0; k < 6; ++k)
            if (team.any((bad.faces >> k & 1) != 0)) faces |= 1u << k;
        if (team.rank() == 0) found[item] = {bad.fresh, bad.stubborn, faces};
    }
};

/// The flags of coarser cells beyond faces at jumps. Coarser cells have the fluxes of finer ones
/// there, so that their own do not matter.
struct FlagsBeyondJumps {
    using device_kernel = void;
    BlockShape shape;
    const JumpFace* faces;
    const CellSource* places;
    const std::uint8_t* careful;
    std::uint8_t* beyond;  ///< [jump][line]

    AUREOLE_FN void operator()(std::int64_t i) const {
        const JumpFace& face = faces[i / shape.lines()];
        beyond[i] = 0;
        if (face.is_to_finer || face.is_fixed) return;
        const int line = static_cast<int>(i % shape.lines());
        const CellSource& place = places[face.beyond[0] + place_beyond(shape.dims, face, line)];
        if (place.fixed < 0) beyond[i] = careful[place.block * shape.cells() + place.cell];
    }
};

/// Floors of cells that are bad even with fluxes of first order: a part of the density and pressure
/// that they had before the stage. Cells with numbers that are not finite stay as they are.
template <class Gas>
struct FloorCells {
    using device_kernel = void;
    static constexpr double part = 1e-3;
    BlockShape shape;
    Gas gas;
    const double* input;
    double* output;
    int* floored;  ///< [block]

    AUREOLE_FN void operator()(device::Team& team, std::int64_t block) const {
        const int cells = shape.cells();
        int count = 0;
        for (int cell = team.rank(); cell < cells; cell += team.size())
            if (floor_cell(block * fields * cells + cell, cells)) ++count;
        count = team.reduce_sum(count);
        if (team.rank() == 0) floored[block] = count;
    }

  private:
    AUREOLE_FN bool floor_cell(std::int64_t first, int step) const {
        double u[fields], w[fields], before[fields];
        for (int f = 0; f < fields; ++f) before[f] = input[first + f * step];
        to_primitive(gas, before, w);
        const double density = w[at::density], pressure = w[at::pressure];
        double sum = 0;
        for (int f = 0; f < fields; ++f) u[f] = output[first + f * step], sum += u[f] - u[f];
        to_primitive(gas, u, w);
        if (is_physical(w) || sum != 0) return false;
        if (!(part * density < u[at::density]))
            for (int k = 0; k < 4; ++k) u[k] = part * before[k];  // at the velocity before
        to_primitive(gas, u, w);
        w[at::pressure] = larger(part * pressure, w[at::pressure]);
        to_conserved(gas, w, u);
        for (int f = 0; f < fields; ++f) output[first + f * step] = u[f];
        return true;
    }
};

}  // namespace aureole::amr
