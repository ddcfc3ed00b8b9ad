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

/// Equal cells in fractional coordinates. Cells of a row along x follow each other, so that a row
/// of neighbouring cells is one or two runs of sorted particles. Outer cells reach to infinity
/// where the box is not periodic.
struct CellGrid {
    core::Box box;
    core::Vec3d face;  ///< distances between opposite faces
    std::int32_t nx = 1, ny = 1, nz = 1;

    AUREOLE_FN std::int64_t cells() const { return std::int64_t(nx) * ny * nz; }

    AUREOLE_FN std::uint32_t cell_of(const core::Vec3d& r) const {
        const auto f = box.fractional(r);
        const std::int32_t x = cell_along(f.x, nx), y = cell_along(f.y, ny),
                           z = cell_along(f.z, nz);
        return static_cast<std::uint32_t>((z * ny + y) * nx + x);
    }

    /// Cells along an axis that hold what is within `range` of fractional coordinate f, each once.
    AUREOLE_FN static CellRun around(double f, double range, std::int32_t n, bool periodic) {
        if (!periodic) {
            const std::int32_t first = cell_along(f - range, n);
            return {first, cell_along(f + range, n) - first + 1};
        }
        const double lo = std::floor((f - range + 0.5) * n), hi = std::floor((f + range + 0.5) * n);
        if (!(hi - lo + 1 < n)) return {0, n};
        const double first = lo - n * std::floor(lo / n);
        return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(hi - lo) + 1};
    }

  private:
    AUREOLE_FN static std::int32_t cell_along(double f, std::int32_t n) {
        double c = std::floor((f + 0.5) * n);
        c = c > 0 ? c : 0;  // not-a-numbers too
        c = c < n - 1 ? c : n - 1;
        return static_cast<std::int32_t>(c);
    }
};

/// Cells about half of `range` wide, and no more of them than particles.
CellGrid make_cell_grid(const core::Box& box, double range, std::int64_t n);

}  // namespace aureole::md
