// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/atomic.hpp"
#include "core/box.hpp"

namespace aureole::md {

/// Content of a cell, or of one particle, in whole numbers that add up alike in any order.
struct CellContent {
    std::int64_t particles = 0, charge = 0, attraction = 0;
};

/// Columns of the particles that are counted; those that are not needed are null.
struct CountedParticles {
    const core::Vec3d* position;
    const double* charge;
    const std::int32_t* type;
    const double* attraction;  ///< of each type, from 0 to 1: the root of its C₆

    AUREOLE_FN CellContent content(std::int64_t i) const {
        return {1, charge != nullptr ? whole(charge[i] < 0 ? -charge[i] : charge[i]) : 0,
                attraction != nullptr ? whole(attraction[type[i]]) : 0};
    }

  private:
    AUREOLE_FN static std::int64_t whole(double x) {
        constexpr double parts = 1 << 20;
        return static_cast<std::int64_t>(x * parts + 0.5);
    }
};

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
    /// Cell along an axis. Positions outside count as if the part were periodic.
    AUREOLE_FN std::int64_t along(int axis, double part) const {
        const auto n = cells[axis];
        const auto k = static_cast<std::int64_t>((part - std::floor(part)) * double(n));
        return k < n ? k : n - 1;
    }
};

struct CountInCells {
    using device_kernel = void;
    CellTable table;
    CountedParticles of;
    CellContent* cell;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto one = of.content(i);
        auto& to = cell[table.place(of.position[i])];
        core::atomic_add(&to.particles, one.particles);
        if (one.charge != 0) core::atomic_add(&to.charge, one.charge);
        if (one.attraction != 0) core::atomic_add(&to.attraction, one.attraction);
    }
};

/// A number for each kind of content.
struct OfContent {
    double particles = 0, charge = 0, attraction = 0;

    AUREOLE_FN friend OfContent operator+(const OfContent& a, const OfContent& b) {
        return {a.particles + b.particles, a.charge + b.charge, a.attraction + b.attraction};
    }
    AUREOLE_FN friend OfContent operator*(double a, const OfContent& b) {
        return {a * b.particles, a * b.charge, a * b.attraction};
    }
};

/// Content of all, and products of each particle's with that of the others in its cell.
struct CellSums {
    OfContent all, products;

    AUREOLE_FN friend CellSums operator+(const CellSums& a, const CellSums& b) {
        return {a.all + b.all, a.products + b.products};
    }
};

struct MultiplyInCells {
    using device_kernel = void;
    CellTable table;
    CountedParticles of;
    const CellContent* cell;

    AUREOLE_FN CellSums operator()(std::int64_t i) const {
        const auto one = of.content(i);
        const auto& in = cell[table.place(of.position[i])];
        return {{double(one.particles), double(one.charge), double(one.attraction)},
                {product(one.particles, in.particles), product(one.charge, in.charge),
                 product(one.attraction, in.attraction)}};
    }

  private:
    AUREOLE_FN static double product(std::int64_t own, std::int64_t all) {
        return double(own) * double(all - own);
    }
};

}  // namespace aureole::md
