// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/box.hpp"
#include "core/macros.hpp"
#include "core/vec3.hpp"

namespace aureole::md {

/// Cells along one axis, from `first` on, around the end of the axis.
struct CellRun {
    std::int32_t first, count;
};

/// Equal cells along one axis, in fractional coordinates.
struct CellAxis {
    std::int32_t n = 1;
    bool around = true;  ///< the last is next to the first; otherwise outer cells are endless

    AUREOLE_FN std::int32_t cell(double f) const {
        double c = std::floor((f + 0.5) * n);
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
        const double lo = std::floor((f - range + 0.5) * n), hi = std::floor((f + range + 0.5) * n);
        if (!(hi - lo + 1 < n)) return {0, n};
        const double first = lo - n * std::floor(lo / n);
        return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(hi - lo) + 1};
    }
};

/// Equal cells in fractional coordinates. Cells of a row along x follow each other, so that a row
/// of neighbouring cells is one or two runs of sorted particles. Outer cells reach to infinity
/// where the box is not periodic.
struct CellGrid {
    core::Vec3d face;  ///< distances between opposite faces
    CellAxis x, y, z;

    AUREOLE_FN std::int64_t cells() const { return std::int64_t(x.n) * y.n * z.n; }

    AUREOLE_FN std::uint32_t cell_at(const core::Vec3d& f) const {
        return static_cast<std::uint32_t>((z.cell(f.z) * y.n + y.cell(f.y)) * x.n + x.cell(f.x));
    }
};

/// Cells about half of `range` wide, and no more of them than particles, of which the box has `n`.
CellGrid make_cell_grid(const core::Box& box, double range, std::int64_t n);

}  // namespace aureole::md
