// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/atomic.hpp"
#include "core/box.hpp"

namespace aureole::md {

/// Cells of a part of the box, of which those that hold particles are in a table.
struct CellTable {
    core::Box box;
    core::Vec3d low, per_edge;  ///< of the part: its corner and the inverse of its edges
    std::int64_t cells[3];
    int bits;     ///< of the table's size
    bool hashed;  ///< for more cells than it has places

    AUREOLE_FN std::int64_t place(const core::Vec3d& r) const {
        const core::Vec3d s = box.fractional(r) - low;
        const std::int64_t x = along(0, s.x * per_edge.x), y = along(1, s.y * per_edge.y),
                           z = along(2, s.z * per_edge.z);
        const auto key = static_cast<std::uint64_t>((x * cells[1] + y) * cells[2] + z);
        constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
        return static_cast<std::int64_t>(hashed ? key * golden >> (64 - bits) : key);
    }

  private:
    /// What lies outside counts as if the part were periodic.
    AUREOLE_FN std::int64_t along(int axis, double part) const {
        const auto n = cells[axis];
        const auto k = static_cast<std::int64_t>((part - std::floor(part)) * double(n));
        return k < n ? k : n - 1;
    }
};

struct CountInCells {
    using device_kernel = void;
    CellTable table;
    const core::Vec3d* position;
    std::int64_t* count;

    AUREOLE_FN void operator()(std::int64_t i) const {
        core::atomic_add(&count[table.place(position[i])], 1);
    }
};

/// How many others are in a particle's cell.
struct OthersInCell {
    using device_kernel = void;
    CellTable table;
    const core::Vec3d* position;
    const std::int64_t* count;

    AUREOLE_FN std::int64_t operator()(std::int64_t i) const {
        return count[table.place(position[i])] - 1;
    }
};

}  // namespace aureole::md
