// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "amr/hydro/leaves.hpp"
#include "amr/hydro/state.hpp"
#include "amr/step/look.hpp"
#include "amr/step/pack_stage.hpp"
#include "core/simd_interleave.hpp"

// A stage for eight sub-grids at a time, one in each lane. All arrays end in [8 lanes]; packs are
// as wide as registers are, so that each array is processed in one to four pieces.
namespace aureole::amr {
inline namespace HWY_NAMESPACE {

inline constexpr int lanes = HWY_LANES(double) < pack_width ? HWY_LANES(double) : pack_width;
using Numbers = core::Pack<double, lanes>;

AUREOLE_FN Numbers load(const double* row, int piece) { return Numbers::load(row + piece * lanes); }

/// f(piece) for each piece of eight lanes.
template <class F>
AUREOLE_FN void for_pieces(F f) {
    for (int piece = 0; piece < pack_width / lanes; ++piece) f(piece);
}

template <class Leaf>
void reconstruct_line(const double* line, double* low, double* high) {
    constexpr int length = edge + 2 * Leaf::halo;
    for_pieces([&](int piece) {
        Numbers w[length], l[edge + 2], h[edge + 2];
        for (int k = 0; k < length; ++k) w[k] = load(line + k * pack_width, piece);
        Leaf::line(w, l, h);
        for (int k = 0; k < edge + 2; ++k) {
            l[k].store(low + k * pack_width + piece * lanes);
            h[k].store(high + k * pack_width + piece * lanes);
        }
    });
}

template <class Leaf>
void flux_line(double gamma, const double* line, int halo, const double* low, const double* high,
               double* flux) {
    const Ideal gas{gamma};
    const int length = edge + 2 * halo;
    // Of the cell k (0: the one before the sub-grid) at its low or high face.
    const auto state = [&](int k, bool at_high, int piece, Numbers* face) {
        Numbers w[fields], l[fields], h[fields];
        for (int f = 0; f < fields; ++f) {
            w[f] = load(line + (f * length + halo - 1 + k) * pack_width, piece);
            l[f] = load(low + (f * (edge + 2) + k) * pack_width, piece);
            h[f] = load(high + (f * (edge + 2) + k) * pack_width, piece);
            face[f] = at_high ? h[f] : l[f];
        }
        keep_positive(w, l, h, face);
    };
    for_pieces([&](int piece) {
        for (int k = 0; k < edge + 1; ++k) {
            Numbers left[fields], right[fields], through[fields];
            state(k, true, piece, left), state(k + 1, false, piece, right);
            Leaf::flux(gas, left, right, through);
            for (int f = 0; f < fields; ++f)
                through[f].store(flux + (f * (edge + 1) + k) * pack_width + piece * lanes);
        }
    });
}

/// A stage of the sub-grids of one group.
class StageOfGroup {
  public:
    StageOfGroup(const PackStage& stage, std::int64_t group, double* scratch)
        : stage_(stage), group_(group), cells_(stage.shape.cells()) {
        for (int r = 0; r < pack_width; ++r)
            block_[r] = std::min(group * pack_width + r, stage.blocks - 1);
        w_ = scratch;
        rate_ = w_ + fields * cells_ * pack_width;
        line_ = rate_ + fields * cells_ * pack_width;
        low_ = line_ + fields * (edge + 2 * most_halo) * pack_width;
        high_ = low_ + fields * (edge + 2) * pack_width;
        flux_ = high_ + fields * (edge + 2) * pack_width;
    }
    void make(ReconstructLine reconstruct, FluxLine fluxes) {
        read_cells();
        const int length = edge + 2 * stage_.halo;
        for (int axis = 0; axis < stage_.shape.dims; ++axis)
            for (int line = 0; line < stage_.shape.lines(); ++line) {
                read_line(axis, line);
                for (int f = 0; f < fields; ++f)
                    reconstruct(line_ + f * length * pack_width, low_ + f * (edge + 2) * pack_width,
                                high_ + f * (edge + 2) * pack_width);
                fluxes(stage_.gamma, line_, stage_.halo, low_, high_, flux_);
                add_rates(axis, line);
            }
        write_cells();
    }

  private:
    double* cell(double* of, int field, int cell) const {
        return of + (field * cells_ + cell) * pack_width;
    }

    void rows_at(const double* from, int field, int cell, const double** rows) const {
        for (int r = 0; r < pack_width; ++r) rows[r] = from + stage_.place(block_[r], field) + cell;
    }

    /// Primitive fields of all cells.
    void read_cells() {
        const double* rows[pack_width];
        for (int first = 0; first < cells_; first += edge) {
            for (int f = 0; f < fields; ++f) {
                rows_at(stage_.input, f, first, rows);
                core::transpose_rows<pack_width>(rows, cell(w_, f, first));
            }
            for (int c = first; c < first + edge; ++c)
                for_pieces([&](int piece) {
                    Numbers u[fields], w[fields];
                    for (int f = 0; f < fields; ++f) u[f] = load(cell(w_, f, c), piece);
                    to_primitive(gas_, u, w);
                    for (int f = 0; f < fields; ++f) w[f].store(cell(w_, f, c) + piece * lanes);
                });
        }
    }

    /// Primitive fields of a line and its halo, with the velocity along it first.
    void read_line(int axis, int line) {
        const int length = edge + 2 * stage_.halo, step = stage_.shape.stride(axis);
        const int first = stage_.shape.line_start(axis, line);
        for (int f = 0; f < fields; ++f) {
            double* const to = line_ + (turned(f, axis) * length + stage_.halo) * pack_width;
            for (int k = 0; k < edge; ++k)
                std::copy_n(cell(w_, f, first + k * step), pack_width, to + k * pack_width);
        }
        for (int side = 0; side < 2; ++side)
            for (int depth = 0; depth < stage_.halo; ++depth)
                read_halo(axis, side, depth, first, step,
                          side == 0 ? stage_.halo - 1 - depth : stage_.halo + edge + depth);
    }

    void read_halo(int axis, int side, int depth, int first, int step, int place) {
        alignas(64) double u[fields][pack_width];
        for (int r = 0; r < pack_width; ++r) {
            const auto& layer = stage_.layer(block_[r], axis, side, depth);
            const double* const from =
                stage_.input + stage_.place(layer.block, 0) + first + layer.layer * step;
            for (int f = 0; f < fields; ++f) u[f][r] = from[f * cells_];
            if (layer.mirrored) u[1 + axis][r] = -u[1 + axis][r];
        }
        const int length = edge + 2 * stage_.halo;
        for_pieces([&](int piece) {
            Numbers conserved[fields], w[fields];
            for (int f = 0; f < fields; ++f) conserved[f] = load(u[f], piece);
            to_primitive(gas_, conserved, w);
            for (int f = 0; f < fields; ++f)
                w[f].store(line_ + (turned(f, axis) * length + place) * pack_width + piece * lanes);
        });
    }

    void add_rates(int axis, int line) {
        const Numbers inverse(stage_.inverse_spacing[axis]);
        const int first = stage_.shape.line_start(axis, line), step = stage_.shape.stride(axis);
        for (int f = 0; f < fields; ++f)
            for (int k = 0; k < edge; ++k) {
                const double* const face = flux_ + (turned(f, axis) * (edge + 1) + k) * pack_width;
                double* const to = cell(rate_, f, first + k * step);
                for_pieces([&](int piece) {
                    const Numbers gain =
                        (load(face, piece) - load(face + pack_width, piece)) * inverse;
                    (axis == 0 ? gain : load(to, piece) + gain).store(to + piece * lanes);
                });
            }
    }

    void write_cells() {
        const double* rows[pack_width];
        alignas(64) double input[edge * pack_width], base[edge * pack_width];
        const Numbers dt(stage_.clock->next_dt), weight(stage_.weight);
        Numbers rates[pack_width / lanes];
        for_pieces([&](int piece) { rates[piece] = Numbers(0.0); });
        bool fine = true;
        for (int first = 0; first < cells_; first += edge) {
            for (int f = 0; f < fields; ++f) {
                rows_at(stage_.input, f, first, rows),
                    core::transpose_rows<pack_width>(rows, input);
                rows_at(stage_.base, f, first, rows), core::transpose_rows<pack_width>(rows, base);
                for (int k = 0; k < edge; ++k)
                    for_pieces([&](int piece) {
                        double* const at = cell(rate_, f, first + k);
                        advanced(load(base + k * pack_width, piece),
                                 load(input + k * pack_width, piece), load(at, piece), dt, weight)
                            .store(at + piece * lanes);
                    });
                write_rows(f, first);
            }
            if (stage_.ends == nullptr) continue;
            for (int c = first; c < first + edge; ++c)
                for_pieces([&](int piece) {
                    Numbers u[fields], w[fields];
                    for (int f = 0; f < fields; ++f) u[f] = load(cell(rate_, f, c), piece);
                    to_primitive(gas_, u, w);
                    fine = fine && all(is_physical(w));
                    rates[piece] = larger(rates[piece], signal_rate(gas_, w, stage_.inverse_spacing,
                                                                    stage_.shape.dims));
                });
        }
        if (stage_.ends != nullptr) write_end(rates, fine);
    }

    /// A row of new values to each sub-grid of the group.
    void write_rows(int field, int first) {
        const double* rows[pack_width];
        alignas(64) double out[pack_width * edge];
        for (int k = 0; k < edge; ++k) rows[k] = cell(rate_, field, first + k);
        core::transpose_rows<pack_width>(rows, out);
        for (int r = 0; r < pack_width && group_ * pack_width + r < stage_.blocks; ++r)
            std::copy_n(out + r * edge, edge,
                        stage_.output + stage_.place(block_[r], field) + first);
    }

    void write_end(const Numbers* rates, bool fine) {
        alignas(64) double of_lane[pack_width];
        for_pieces([&](int piece) { rates[piece].store(of_lane + piece * lanes); });
        auto& end = stage_.ends[group_];
        end = {*std::max_element(of_lane, of_lane + pack_width), {}};
        for (int r = 0; r < pack_width && !fine && end.bad.block < 0; ++r)
            end.bad = first_bad_cell(gas_, stage_.output, stage_.shape, block_[r]);
    }

    const PackStage& stage_;
    const Ideal gas_{stage_.gamma};
    const std::int64_t group_;
    const int cells_;
    std::int64_t block_[pack_width];
    double *w_, *rate_, *line_, *low_, *high_, *flux_;
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::amr
