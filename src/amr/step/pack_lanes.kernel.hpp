// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amr/hydro/leaves/riemann/llf.hpp"
#include "amr/hydro/state.hpp"
#include "amr/step/look.kernel.hpp"
#include "amr/step/pack_stage.hpp"
#include "device/wide_team.hpp"

namespace aureole::amr {

/// A stage of one sub-grid by the lanes of a team: primitive fields of its cells in scratch memory,
/// and one axis after the other those of its halo and fluxes, 59 kB at most. Each face is computed
/// by one lane, from both cells beside it.
template <class Reconstruction, class Riemann, class Gas>
struct StageByLanes {
    using device_kernel = void;
    /// Lanes of a team on GPUs; each lane has two cells.
    static constexpr int most_lanes = 256;
    static constexpr int halo = Reconstruction::halo;
    PackStage stage;

    static std::int64_t scratch_bytes(BlockShape shape) {
        return std::int64_t{sizeof(double)} * fields * (places(shape) + shape.lines() * (edge + 1));
    }

    AUREOLE_FN void operator()(device::WideTeam& team, std::int64_t item) const {
        if (!stage.clock->running) return;
        const std::int64_t block = stage.block_of(item);
        const auto& shape = stage.shape;
        auto* const w = team.scratch<double>();
        auto* const flux = w + fields * places(shape);
        double rate[most_cells][fields];

        read_cells(team, block, w);
        for (int axis = 0; axis < shape.dims; ++axis) {
            read_halo(team, block, axis, w);
            team.sync();
            for (int i = team.rank(); i < shape.lines() * (edge + 1); i += team.size())
                find_flux(block, axis, i, w, flux);
            team.sync();
            for_cells(team, [&](int n, int cell) { add_rates(block, axis, cell, flux, rate[n]); });
            if (stage.refined != nullptr) keep_fluxes(team, block, axis, flux);
        }
        write(team, block, rate);
    }

  private:
    /// Most cells of one lane; on hosts teams have any number of lanes.
    static constexpr int most_cells = edge * edge * edge / (AUREOLE_FOR_GPU ? most_lanes : 1);

    /// f(n, cell) for the n-th cell of a lane, for all of them.
    template <class F>
    AUREOLE_FN void for_cells(const device::WideTeam& team, F f) const {
        AUREOLE_UNROLL
        for (int n = 0; n < most_cells; ++n) {
            const int cell = team.rank() + n * team.size();
            if (cell >= stage.shape.cells()) break;
            f(n, cell);
        }
    }

    /// Number of cells, and of halo cells at the ends of one axis.
    AUREOLE_FN static int places(BlockShape shape) {
        return shape.cells() + 2 * halo * shape.lines();
    }
    AUREOLE_FN static int halo_place(BlockShape shape, int side, int depth, int line) {
        return shape.cells() + (side * halo + depth) * shape.lines() + line;
    }
    /// Place of the k-th cell of a line, which begins before the sub-grid and ends behind it.
    AUREOLE_FN static int place(BlockShape shape, int axis, int line, int k) {
        if (k < 0) return halo_place(shape, 0, -k - 1, line);
        if (k >= edge) return halo_place(shape, 1, k - edge, line);
        return shape.line_start(axis, line) + k * shape.stride(axis);
    }

    AUREOLE_FN void read_cells(const device::WideTeam& team, std::int64_t block, double* w) const {
        const int cells = stage.shape.cells();
        for (int i = team.rank(); i < cells; i += team.size())
            put_primitive(stage.input + stage.place(block, 0) + i, cells, -1, i, w);
    }

    AUREOLE_FN void read_halo(const device::WideTeam& team, std::int64_t block, int axis,
                              double* w) const {
        const auto& shape = stage.shape;
        const int lines = shape.lines();
        for (int i = team.rank(); i < 2 * halo * lines; i += team.size()) {
            const int side = i / (halo * lines), depth = i / lines % halo, line = i % lines;
            const Layer& layer = stage.layer(block, axis, side, depth);
            const int mirrored = layer.mirrored ? 1 + axis : -1, at = shape.cells() + i;
            if (layer.jump >= 0)
                put_primitive(stage.halo_at(layer.jump, 0, line) + depth, lines * halo, mirrored,
                              at, w);
            else
                put_primitive(stage.input + stage.place(layer.block, 0) +
                                  shape.line_start(axis, line) + layer.layer * shape.stride(axis),
                              shape.cells(), mirrored, at, w);
        }
    }

    /// The primitive fields of a cell whose fields are `step` apart, one of them `mirrored`.
    AUREOLE_FN void put_primitive(const double* input, int step, int mirrored, int place,
                                  double* w) const {
        const int all = places(stage.shape);
        double u[fields], primitive[fields];
        for (int f = 0; f < fields; ++f) {
            const double value = input[f * step];
            u[f] = f == mirrored ? -value : value;
        }
        to_primitive(Gas{stage.gamma}, u, primitive);
        for (int f = 0; f < fields; ++f) w[f * all + place] = primitive[f];
    }

    AUREOLE_FN void find_flux(std::int64_t block, int axis, int i, const double* w,
                              double* flux) const {
        const auto& shape = stage.shape;
        const int line = i / (edge + 1), face = i % (edge + 1);
        double low[fields], left[fields], right[fields], high[fields], through[fields];
        if (stage.is_careful(block, axis, line, face - 1) ||
            stage.is_careful(block, axis, line, face)) {
            for (int f = 0; f < fields; ++f) {
                const double* const field = w + turned_back(f, axis) * places(shape);
                left[f] = field[place(shape, axis, line, face - 1)];
                right[f] = field[place(shape, axis, line, face)];
            }
            Llf::flux(Gas{stage.gamma}, left, right, through);
        } else {
            states(axis, line, face - 1, w, low, left);
            states(axis, line, face, w, right, high);
            Riemann::flux(Gas{stage.gamma}, left, right, through);
        }
        for (int f = 0; f < fields; ++f)
            flux[(turned_back(f, axis) * shape.lines() + line) * (edge + 1) + face] = through[f];
    }

    /// At both faces of the k-th cell of a line, with the velocity along it first.
    AUREOLE_FN void states(int axis, int line, int k, const double* w, double* low,
                           double* high) const {
        const int all = places(stage.shape);
        double mean[fields];
        AUREOLE_UNROLL
        for (int f = 0; f < fields; ++f) {
            double around[2 * halo - 1];
            const double* const field = w + turned_back(f, axis) * all;
            AUREOLE_UNROLL
            for (int n = 0; n < 2 * halo - 1; ++n)
                around[n] = field[place(stage.shape, axis, line, k + n - halo + 1)];
            mean[f] = around[halo - 1];
            Reconstruction::cell(around + halo - 1, low[f], high[f]);
        }
        keep_positive(mean, low, high);
    }

    /// Fluxes through the faces of the sub-grid, where levels differ.
    AUREOLE_FN void keep_fluxes(const device::WideTeam& team, std::int64_t block, int axis,
                                const double* flux) const {
        const int lines = stage.shape.lines();
        for (int side = 0; side < 2; ++side) {
            const auto jump = stage.layer(block, axis, side, 0).jump;
            for (int i = team.rank(); i < fields * lines && jump >= 0; i += team.size())
                stage.flux_at(jump, i / lines, i % lines) = flux[i * (edge + 1) + side * edge];
        }
    }

    AUREOLE_FN void add_rates(std::int64_t block, int axis, int cell, const double* flux,
                              double* rate) const {
        const auto& shape = stage.shape;
        const double inverse = stage.inverse_spacing[axis] * stage.refinement(block);
        const int k = cell / shape.stride(axis) % edge, line = shape.line_of(axis, cell);
        for (int f = 0; f < fields; ++f) {
            const double* const at = flux + (f * shape.lines() + line) * (edge + 1) + k;
            const double gain = (at[0] - at[1]) * inverse;
            rate[f] = axis == 0 ? gain : rate[f] + gain;
        }
    }

    AUREOLE_FN void write(const device::WideTeam& team, std::int64_t block,
                          const double (*rate)[fields]) const {
        LookByLanes<Gas> look(Gas{stage.gamma}, stage.shape, stage.inverse_spacing,
                              stage.refinement(block));
        for_cells(team, [&](int n, int cell) {
            double u[fields];
            for (int f = 0; f < fields; ++f) {
                const auto at = stage.place(block, f) + cell;
                u[f] = advanced(stage.base[at], stage.input[at], rate[n][f], stage.clock->next_dt,
                                stage.weight);
                stage.output[at] = u[f];
            }
            if (stage.ends != nullptr) look.add(u);
        });
        if (stage.ends == nullptr) return;
        team.sync();  // what a lane wrote, the first one reads
        look.put(team, stage.output, block, stage.ends[block]);
    }
};

}  // namespace aureole::amr
