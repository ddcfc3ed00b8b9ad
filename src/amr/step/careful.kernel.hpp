// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amr/hydro/state.hpp"
#include "amr/step/look.hpp"
#include "amr/tree/jumps.hpp"
#include "device/team.hpp"

// Work of a step that is made again with care (docs/theory/fluids.md), beside its stages.
namespace aureole::amr {

/// Bad cells of a sub-grid: those whose fluxes were not yet of first order, and the others.
struct BadCells {
    int fresh = 0, stubborn = 0;
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
        int fresh = 0, stubborn = 0;
        for (int cell = team.rank(); cell < cells; cell += team.size()) {
            double u[fields], w[fields];
            for (int f = 0; f < fields; ++f) u[f] = output[(block * fields + f) * cells + cell];
            to_primitive(gas, u, w);
            if (is_physical(w)) continue;
            auto& flag = careful[block * cells + cell];
            (flag == 0 ? fresh : stubborn) += 1;
            flag = 1;
        }
        fresh = team.reduce_sum(fresh), stubborn = team.reduce_sum(stubborn);
        if (team.rank() == 0) found[item] = {fresh, stubborn};
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
        const CellSource& place = places[face.beyond[0] + cell_beyond(face, line)];
        if (place.fixed < 0) beyond[i] = careful[place.block * shape.cells() + place.cell];
    }

  private:
    /// The first coarser cell beyond a line, in the patch around its face.
    AUREOLE_FN int cell_beyond(const JumpFace& face, int line) const {
        const PatchShape of{shape.dims, face.axis, face.side};
        const int one = face.axis == 0 ? 1 : 0, two = face.axis == 2 ? 1 : 2;
        return of.layer(0) * of.stride(face.axis) +
               (shape.dims > 1 ? (line % edge / 2 + 2) * of.stride(one) : 0) +
               (shape.dims > 2 ? (line / edge / 2 + 2) * of.stride(two) : 0);
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
