// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/box.hpp"
#include "core/macros.hpp"
#include "core/vec3.hpp"
#include "md/neighbor/zone.hpp"

namespace aureole::md {

/// Cells along one axis, from `first` on, around the end of the axis.
struct CellRun {
    std::int32_t first, count;
};

/// Equal cells along one axis, in fractional coordinates.
struct CellAxis {
    std::int32_t n = 1;
    double low = -0.5;        ///< where they begin
    double per_fraction = 1;  ///< how many there are to a length of the box
    bool around = true;       ///< the last is next to the first; otherwise outer cells are endless

    AUREOLE_FN std::int32_t cell(double f) const {
        double c = std::floor((f - low) * per_fraction);
        c = c > 0 ? c : 0;  // not-a-numbers too
        c = c < n - 1 ? c : n - 1;
        return static_cast<std::int32_t>(c);
    }
    /// Cells that hold what is within `range` of fractional coordinate f, each once.
    AUREOLE_FN CellRun near(double f, double range) const {
        if (!around) {
            const std::int32_t first = cell(f - range);
            return {first, cell(f + range) - first + 1};
        }
        const double lo = std::floor((f - range - low) * per_fraction),
                     hi = std::floor((f + range - low) * per_fraction);
        if (!(hi - lo + 1 < n)) return {0, n};
        const double first = lo - n * std::floor(lo / n);
        return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(hi - lo) + 1};
    }
    /// Distance of f from the k-th of the near() cells, as a fraction; 0 where all cells are near.
    AUREOLE_FN double outside(double f, double range, std::int32_t k) const {
        double c = cell(f - range) + k;
        if (around) {
            const double lo = std::floor((f - range - low) * per_fraction),
                         hi = std::floor((f + range - low) * per_fraction);
            if (!(hi - lo + 1 < n)) return 0;
            c = lo + k;
        }
        const double at = (f - low) * per_fraction;
        if (at < c && (around || c > 0)) return (c - at) / per_fraction;
        if (at > c + 1 && (around || c < n - 1)) return (at - c - 1) / per_fraction;
        return 0;
    }
};

/// Equal cells in fractional coordinates. Cells of a row along x follow each other, so that a row
/// of neighbouring cells is one or two runs of sorted particles. Outer cells reach to infinity
/// where the box is not periodic. Along axes that ranks divide they cover this rank's part and its
/// halo.
struct CellGrid {
    core::Box box;
    core::Vec3d face;  ///< distances between opposite faces
    CellAxis x, y, z;

    AUREOLE_FN std::int64_t cells() const { return std::int64_t(x.n) * y.n * z.n; }

    AUREOLE_FN std::uint32_t cell_of(const core::Vec3d& r) const {
        return cell_at(box.fractional(r));
    }
    AUREOLE_FN std::uint32_t cell_at(const core::Vec3d& f) const {
        return static_cast<std::uint32_t>((z.cell(f.z) * y.n + y.cell(f.y)) * x.n + x.cell(f.x));
    }
};

/// The part of a box that cells cover.
struct CellsOf {
    const core::Box& box;
    Frame frame{};    ///< the rank's own part
    double halo = 0;  ///< along divided axes also what is within this width above it
};

/// Cells about half of `range` wide, and no more of them than particles, of which the box has `n`.
CellGrid make_cell_grid(const CellsOf& of, double range, std::int64_t n);

}  // namespace aureole::md
