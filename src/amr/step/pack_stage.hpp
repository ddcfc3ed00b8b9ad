// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "amr/hydro/state.hpp"
#include "amr/mesh.hpp"
#include "amr/step/clock.hpp"
#include "amr/step/look.hpp"
#include "amr/tree/jumps.hpp"

namespace aureole::amr {

/// Sub-grids that hosts process side by side, one in each lane of a vector.
inline constexpr int pack_width = 8;

/// One stage of a step for all sub-grids, whose fields are [block][field][cell].
struct PackStage {
    BlockShape shape;
    int halo = 0;
    std::int64_t blocks = 0;  ///< to work on
    const double *base = nullptr, *input = nullptr;
    double* output = nullptr;
    const Layer* layers = nullptr;  ///< [block][axis][side][depth]: where halo cells are
    const Clock* clock = nullptr;
    Look* ends = nullptr;  ///< [block], written in the last stage; null in others
    double weight = 1, gamma = 1.4;
    std::array<double, 3> inverse_spacing{};  ///< of roots
    /// Null without levels. 2^level of each sub-grid, and halo cells (HalosAtJumps) and fluxes
    /// (CorrectFluxes) of faces at jumps.
    const double* refined = nullptr;
    const double* halos = nullptr;
    double* fluxes = nullptr;
    /// Null but where a step is made again with care: which sub-grids to work on, and which cells
    /// have fluxes of first order, also beyond faces at jumps.
    const std::int64_t* listed = nullptr;
    const std::uint8_t* careful = nullptr;         ///< [block][cell]
    const std::uint8_t* careful_beyond = nullptr;  ///< [jump][line]

    AUREOLE_FN const Layer& layer(std::int64_t block, int axis, int side, int depth) const {
        return layers[layer_place(shape.dims, halo, block, axis, side, depth)];
    }
    AUREOLE_FN std::int64_t place(std::int64_t block, int field) const {
        return (block * fields + field) * shape.cells();
    }
    /// The sub-grid of an item.
    AUREOLE_FN std::int64_t block_of(std::int64_t item) const {
        return listed == nullptr ? item : listed[item];
    }
    /// Whether the k-th cell of a line, or the one before or behind it, has fluxes of first order.
    AUREOLE_FN bool is_careful(std::int64_t block, int axis, int line, int k) const {
        if (careful == nullptr) return false;
        if (k < 0 || k >= edge) {
            const Layer& beyond = layer(block, axis, k < 0 ? 0 : 1, 0);
            if (beyond.jump >= 0) return careful_beyond[beyond.jump * shape.lines() + line] != 0;
            block = beyond.block, k = beyond.layer;
        }
        return careful[block * shape.cells() + shape.line_start(axis, line) +
                       k * shape.stride(axis)] != 0;
    }
    AUREOLE_FN double refinement(std::int64_t block) const {
        return refined == nullptr ? 1.0 : refined[block];
    }
    /// Halo cells at the end of a line, by depth.
    AUREOLE_FN const double* halo_at(std::int64_t jump, int field, int line) const {
        return halos + ((jump * fields + field) * shape.lines() + line) * halo;
    }
    AUREOLE_FN double& flux_at(std::int64_t jump, int field, int line) const {
        return fluxes[(jump * fields + field) * shape.lines() + line];
    }
};

/// Values at the faces of one field's line, for 8 sub-grids: [8 + 2 halo][8] to [10][8] twice.
using ReconstructLine = void (*)(const double* line, double* low, double* high);
/// Fluxes through the faces of a line: [5][8 + 2 halo][8], [5][10][8] twice to [5][9][8].
using FluxLine = void (*)(double gamma, const double* line, int halo, const double* low,
                          const double* high, double* flux);

/// Functions that are compiled once per instruction set.
struct PackKernels {
    ReconstructLine (*reconstruction)(int place);  ///< of the leaf at a place in the list of all
    FluxLine (*riemann)(int place);
    void (*stage)(const PackStage& stage, ReconstructLine reconstruct, FluxLine fluxes,
                  std::int64_t group, double* scratch);
    void (*halos)(const HalosAtJumps& halos, std::int64_t face, double* patch);
};

/// Functions for the instruction set in use.
PackKernels pack_kernels();

/// Bytes of the patch of halos().
inline std::int64_t pack_patch_bytes(BlockShape shape) {
    return std::int64_t{sizeof(double)} * pack_width * PatchShape{shape.dims, 0, 0}.cells();
}

/// The widest halo of any reconstruction.
inline constexpr int most_halo = 3;

/// Bytes of scratch memory of stage(): primitive fields and rates of all cells; fields of a line,
/// their values at faces and fluxes.
inline std::int64_t pack_scratch_bytes(BlockShape shape) {
    constexpr int of_line = (edge + 2 * most_halo) + 2 * (edge + 2) + (edge + 1);
    return std::int64_t{sizeof(double)} * fields * pack_width * (2 * shape.cells() + of_line);
}

}  // namespace aureole::amr
