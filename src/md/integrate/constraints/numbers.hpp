// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/box.hpp"
#include "core/macros.hpp"
#include "core/vec3.hpp"

// The number type of the constraint formulas: R is a double on a lane of a device, or
// a pack of doubles (packs.hpp) on a processor, one lane for each molecule.
namespace aureole::md {

/// Three components of a number.
template <class R>
struct Three {
    R x, y, z;

    AUREOLE_FN friend Three operator+(const Three& a, const Three& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    AUREOLE_FN friend Three operator-(const Three& a, const Three& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    AUREOLE_FN friend Three operator*(R s, const Three& a) { return {s * a.x, s * a.y, s * a.z}; }
    AUREOLE_FN friend R dot(const Three& a, const Three& b) {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }
    AUREOLE_FN friend Three cross(const Three& a, const Three& b) {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
};

/// Loads, stores and elementary functions of numbers.
template <class R>
struct Lanes;

template <>
struct Lanes<double> {
    static constexpr int size = 1;

    AUREOLE_FN static double load(const double* p) { return *p; }
    AUREOLE_FN static void store(double* p, double a) { *p = a; }
    AUREOLE_FN static double pick(const double* table, const std::int32_t* index) {
        return table[*index];
    }
    AUREOLE_FN static Three<double> rows(const core::Vec3d* table, const std::int32_t* row) {
        const auto& r = table[*row];
        return {r.x, r.y, r.z};
    }
    AUREOLE_FN static void put(core::Vec3d* table, const std::int32_t* row,
                               const Three<double>& r) {
        table[*row] = {r.x, r.y, r.z};
    }
    AUREOLE_FN static double root(double a) { return std::sqrt(a); }
    AUREOLE_FN static double larger(double a, double b) { return a < b ? b : a; }
    /// Zero in the lanes from `count` on.
    AUREOLE_FN static double first(double a, int) { return a; }
};

/// The nearest whole number of numbers far below 2⁵¹: adding 1.5 · 2⁵² leaves no room for
/// fractions.
template <class R>
AUREOLE_FN R nearest(R a) {
    const R rounder(6755399441055744.0);
    return (a + rounder) - rounder;
}

/// Lattice vectors between a separation and its shortest image, as core::Box::minimum_image().
struct ImageShift {
    double lx, ly, lz;
    double xy, xz, yz;              ///< off-diagonal components of the lattice vectors
    double inv_lx, inv_ly, inv_lz;  ///< 0 where not periodic

    ImageShift() = default;
    AUREOLE_FN explicit ImageShift(const core::Box& b)
        : lx(b.lx),
          ly(b.ly),
          lz(b.lz),
          xy(b.xy * b.ly),
          xz(b.xz * b.lz),
          yz(b.yz * b.lz),
          inv_lx(b.periodic_x ? 1 / b.lx : 0),
          inv_ly(b.periodic_y ? 1 / b.ly : 0),
          inv_lz(b.periodic_z ? 1 / b.lz : 0) {}

    /// The lattice vector to subtract from d.
    template <class R>
    AUREOLE_FN Three<R> of(const Three<R>& d) const {
        const R n3 = nearest(d.z * R(inv_lz));
        const R n2 = nearest((d.y - n3 * R(yz)) * R(inv_ly));
        const R n1 = nearest((d.x - n3 * R(xz) - n2 * R(xy)) * R(inv_lx));
        return {n1 * R(lx) + n2 * R(xy) + n3 * R(xz), n2 * R(ly) + n3 * R(yz), n3 * R(lz)};
    }
};

}  // namespace aureole::md
