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
    // At both faces of the cell k; 0 is the one before the sub-grid.
    const auto states = [&](int k, int piece, Numbers* at_low, Numbers* at_high) {
        Numbers w[fields];
        for (int f = 0; f < fields; ++f) {
            w[f] = load(line + (f * length + halo - 1 + k) * pack_width, piece);
            at_low[f] = load(low + (f * (edge + 2) + k) * pack_width, piece);
            at_high[f] = load(high + (f * (edge + 2) + k) * pack_width, piece);
        }
        keep_positive(w, at_low, at_high);
    };
    for_pieces([&](int piece) {
        Numbers left[fields], right[fields], next[fields], through[fields];
        states(0, piece, right, left);
        for (int k = 0; k < edge + 1; ++k) {
            states(k + 1, piece, right, next);
            Leaf::flux(gas, left, right, through);
            for (int f = 0; f < fields; ++f) {
                through[f].store(flux + (f * (edge + 1) + k) * pack_width + piece * lanes);
                left[f] = next[f];
            }
        }
    });
}

/// A coarse cell whose fields are side by side; some of them.
struct FieldsOfCell {
    using Number = Numbers;
    const double* at;
    std::array<int, 3> stride;  ///< between cells

    AUREOLE_FN Numbers operator()(int offset) const {
        return Numbers::load(at + offset * pack_width);
    }
};

/// Halo cells of a face at a jump, by all fields of a cell at a time.
inline void halos_of_face(const HalosAtJumps& halos, std::int64_t face, double* patch) {
    const PatchLayout side_by_side{pack_width, 1};
    const JumpFace& at = halos.faces[face];
    const PatchShape of{halos.shape.dims, at.axis, at.side};
    const std::array<int, 3> stride{of.stride(0), of.stride(1), of.stride(2)};
    halos.fill(face, 0, 1, patch, side_by_side);
    const auto parts_of = [&](const double* from, int cell, Parts& part) {
        with_dims(halos.shape.dims, [&]<int dims>() {
            for_pieces([&](int piece) {
                Numbers some[1 << dims];
                parts_of_cell<dims>(FieldsOfCell{from + cell * pack_width + piece * lanes, stride},
                                    some);
                for (int k = 0; k < 1 << dims; ++k) some[k].store(part[k] + piece * lanes);
            });
        });
    };
    halos.put(face, 0, 1, patch, side_by_side, parts_of);
}

/// A stage of the sub-grids of one group.
class StageOfGroup {
  public:
    StageOfGroup(const PackStage& stage, std::int64_t group, double* scratch)
        : stage_(stage), group_(group), cells_(stage.shape.cells()) {
        for (int r = 0; r < pack_width; ++r)
            block_[r] = stage.block_of(std::min(group * pack_width + r, stage.blocks - 1));
        if (stage.refined != nullptr) look_for_jumps();
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
                if (axis == 0)
                    read_halo_along_rows(line);
                else if (line % edge == 0)
                    read_halo_of_rows(axis, line);
                read_line(axis, line);
                for (int f = 0; f < fields; ++f)
                    reconstruct(line_ + f * length * pack_width, low_ + f * (edge + 2) * pack_width,
                                high_ + f * (edge + 2) * pack_width);
                fluxes(stage_.gamma, line_, stage_.halo, low_, high_, flux_);
                if (stage_.careful != nullptr) make_careful(axis, line);
                if (has_jumps_) keep_fluxes(axis, line);
                add_rates(axis, line);
            }
        write_cells();
    }

  private:
    void look_for_jumps() {
        for (int r = 0; r < pack_width; ++r) {
            refined_[r] = stage_.refinement(block_[r]);
            has_levels_ = has_levels_ || refined_[r] != 1;
            for (int axis = 0; axis < stage_.shape.dims; ++axis)
                for (int side = 0; side < 2; ++side)
                    has_jumps_ = has_jumps_ || jump_of(r, axis, side) >= 0;
        }
    }
    std::int64_t jump_of(int r, int axis, int side) const {
        return stage_.layer(block_[r], axis, side, 0).jump;
    }

    /// Fluxes of first order in place of others, at the faces of cells that are to have these.
    void make_careful(int axis, int line) {
        const int length = edge + 2 * stage_.halo;
        for (int r = 0; r < pack_width; ++r)
            for (int face = 0; face <= edge; ++face) {
                if (!stage_.is_careful(block_[r], axis, line, face - 1) &&
                    !stage_.is_careful(block_[r], axis, line, face))
                    continue;
                double left[fields], right[fields], through[fields];
                for (int f = 0; f < fields; ++f) {
                    const double* const at =
                        line_ + (f * length + stage_.halo + face) * pack_width + r;
                    left[f] = at[-pack_width], right[f] = at[0];
                }
                Llf::flux(gas_, left, right, through);
                for (int f = 0; f < fields; ++f)
                    flux_[(f * (edge + 1) + face) * pack_width + r] = through[f];
            }
    }

    /// Fluxes through both ends of a line, where levels differ.
    void keep_fluxes(int axis, int line) {
        for (int side = 0; side < 2; ++side)
            for (int r = 0; r < pack_width; ++r) {
                const auto jump = jump_of(r, axis, side);
                for (int f = 0; f < fields && jump >= 0; ++f) {
                    const int face = turned(f, axis) * (edge + 1) + side * edge;
                    stage_.flux_at(jump, f, line) = flux_[face * pack_width + r];
                }
            }
    }

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
        const int in_row = axis == 0 ? 0 : line % edge;
        for (int side = 0; side < 2; ++side)
            for (int depth = 0; depth < stage_.halo; ++depth) {
                const int k = side == 0 ? -1 - depth : edge + depth;
                for (int f = 0; f < fields; ++f)
                    std::copy_n(halo_[side][depth][in_row][f], pack_width,
                                line_ + (turned(f, axis) * length + stage_.halo + k) * pack_width);
            }
    }

    /// Halo cells at the ends of a line along x, which are of rows of other sub-grids.
    void read_halo_along_rows(int line) {
        const double* rows[pack_width];
        alignas(64) double row[fields][edge][pack_width], u[fields][pack_width];
        for (int side = 0; side < 2; ++side) {
            for (int f = 0; f < fields; ++f) {
                for (int r = 0; r < pack_width; ++r)
                    rows[r] = stage_.input +
                              stage_.place(stage_.layer(block_[r], 0, side, 0).block, f) +
                              stage_.shape.line_start(0, line);
                core::transpose_rows<pack_width>(rows, row[f][0]);
            }
            for (int depth = 0; depth < stage_.halo; ++depth) {
                const int usual = side == 0 ? edge - 1 - depth : depth;
                for (int f = 0; f < fields; ++f) std::copy_n(row[f][usual], pack_width, u[f]);
                for (int r = 0; r < pack_width; ++r) {
                    const auto& layer = stage_.layer(block_[r], 0, side, depth);
                    for (int f = 0; f < fields && layer.layer != usual; ++f)
                        u[f][r] = row[f][layer.layer][r];
                    if (layer.mirrored) u[1][r] = -u[1][r];
                    for (int f = 0; f < fields && layer.jump >= 0; ++f)
                        u[f][r] = stage_.halo_at(layer.jump, f, line)[depth];
                }
                keep_halo(side, depth, 0, u[0], pack_width);
            }
        }
    }

    /// Halo cells at the ends of the eight lines along another axis that begin in a row.
    void read_halo_of_rows(int axis, int first_line) {
        const int first = stage_.shape.line_start(axis, first_line);
        const double* rows[pack_width];
        alignas(64) double u[fields][edge][pack_width];
        for (int side = 0; side < 2; ++side)
            for (int depth = 0; depth < stage_.halo; ++depth) {
                for (int f = 0; f < fields; ++f) {
                    for (int r = 0; r < pack_width; ++r) {
                        const auto& layer = stage_.layer(block_[r], axis, side, depth);
                        rows[r] = stage_.input + stage_.place(layer.block, f) + first +
                                  layer.layer * stage_.shape.stride(axis);
                    }
                    core::transpose_rows<pack_width>(rows, u[f][0]);
                }
                for (int r = 0; r < pack_width; ++r) {
                    const auto& layer = stage_.layer(block_[r], axis, side, depth);
                    if (layer.mirrored)
                        for (int k = 0; k < edge; ++k) u[1 + axis][k][r] = -u[1 + axis][k][r];
                    for (int f = 0; f < fields && layer.jump >= 0; ++f)
                        for (int k = 0; k < edge; ++k)
                            u[f][k][r] = stage_.halo_at(layer.jump, f, first_line + k)[depth];
                }
                for (int k = 0; k < edge; ++k)
                    keep_halo(side, depth, k, u[0][k], edge * pack_width);
            }
    }

    /// Primitive fields of a halo cell from conserved ones, which are `step` apart.
    void keep_halo(int side, int depth, int in_row, const double* conserved, int step) {
        for_pieces([&](int piece) {
            Numbers u[fields], w[fields];
            for (int f = 0; f < fields; ++f) u[f] = load(conserved + f * step, piece);
            to_primitive(gas_, u, w);
            for (int f = 0; f < fields; ++f)
                w[f].store(halo_[side][depth][in_row][f] + piece * lanes);
        });
    }

    void add_rates(int axis, int line) {
        Numbers inverse[pack_width / lanes];
        for_pieces([&](int piece) {
            inverse[piece] = Numbers(stage_.inverse_spacing[axis]);
            if (has_levels_) inverse[piece] = inverse[piece] * load(refined_, piece);
        });
        const int first = stage_.shape.line_start(axis, line), step = stage_.shape.stride(axis);
        for (int f = 0; f < fields; ++f)
            for (int k = 0; k < edge; ++k) {
                const double* const face = flux_ + (turned(f, axis) * (edge + 1) + k) * pack_width;
                double* const to = cell(rate_, f, first + k * step);
                for_pieces([&](int piece) {
                    const Numbers gain =
                        (load(face, piece) - load(face + pack_width, piece)) * inverse[piece];
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
                    Numbers rate = signal_rate(gas_, w, stage_.inverse_spacing, stage_.shape.dims);
                    if (has_levels_) rate = rate * load(refined_, piece);
                    rates[piece] = larger(rates[piece], rate);
                });
        }
        if (stage_.ends != nullptr) write_ends(rates, fine);
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

    void write_ends(const Numbers* rates, bool fine) {
        alignas(64) double of_lane[pack_width];
        for_pieces([&](int piece) { rates[piece].store(of_lane + piece * lanes); });
        for (int r = 0; r < pack_width; ++r) {
            auto& end = stage_.ends[block_[r]];
            end = {of_lane[r], {}};
            if (!fine)
                end.bad = look_at(gas_, stage_.output, stage_.shape, stage_.inverse_spacing,
                                  block_[r], stage_.refinement(block_[r]))
                              .bad;
        }
    }

    const PackStage& stage_;
    const Ideal gas_{stage_.gamma};
    const std::int64_t group_;
    const int cells_;
    std::int64_t block_[pack_width];
    bool has_levels_ = false, has_jumps_ = false;
    alignas(64) double refined_[pack_width];
    double *w_, *rate_, *line_, *low_, *high_, *flux_;
    /// Halo cells of the line, or of the row of lines, that is worked on.
    alignas(64) double halo_[2][most_halo][edge][fields][pack_width];
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::amr
