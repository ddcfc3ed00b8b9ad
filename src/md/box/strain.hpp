// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/box.hpp"
#include "core/macros.hpp"

namespace aureole::md {

/// A small change of the box: h ← (1 + ε) h, and positions with it. Upper triangular, so that boxes
/// stay upper triangular.
struct Strain {
    double xx = 0, yy = 0, zz = 0;
    double xy = 0, xz = 0, yz = 0;

    AUREOLE_FN static Strain of(const core::Sym3d& s) {
        return {s.xx, s.yy, s.zz, 2 * s.xy, 2 * s.xz, 2 * s.yz};  // without the rotation
    }
    AUREOLE_FN core::Vec3d operator()(const core::Vec3d& r) const {
        return {r.x + xx * r.x + xy * r.y + xz * r.z, r.y + yy * r.y + yz * r.z, r.z + zz * r.z};
    }
    AUREOLE_FN friend Strain operator*(double s, const Strain& e) {
        return {s * e.xx, s * e.yy, s * e.zz, s * e.xy, s * e.xz, s * e.yz};
    }
    AUREOLE_FN friend Strain operator+(const Strain& a, const Strain& b) {
        return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
    }
    /// This strain after another: (1 + a)(1 + b) − 1.
    AUREOLE_FN Strain after(const Strain& b) const {
        return {xx + b.xx + xx * b.xx,
                yy + b.yy + yy * b.yy,
                zz + b.zz + zz * b.zz,
                xy + b.xy + xx * b.xy + xy * b.yy,
                xz + b.xz + xx * b.xz + xy * b.yz + xz * b.zz,
                yz + b.yz + yy * b.yz + yz * b.zz};
    }
    /// The strain that brings a box to another.
    AUREOLE_FN static Strain between(const core::Box& from, const core::Box& to) {
        const double x = to.lx / from.lx, y = to.ly / from.ly, z = to.lz / from.lz;
        const double xy = (to.xy * to.ly - x * (from.xy * from.ly)) / from.ly;
        const double yz = (to.yz * to.lz - y * (from.yz * from.lz)) / from.lz;
        const double xz =
            (to.xz * to.lz - x * (from.xz * from.lz) - xy * (from.yz * from.lz)) / from.lz;
        return {x - 1, y - 1, z - 1, xy, xz, yz};
    }
    AUREOLE_FN double trace() const { return xx + yy + zz; }
    AUREOLE_FN bool none() const { return size() == 0; }
    /// Bound of the relative change of any vector.
    AUREOLE_FN double size() const {
        return std::sqrt(xx * xx + yy * yy + zz * zz + xy * xy + xz * xz + yz * yz);
    }
    AUREOLE_FN core::Box operator()(const core::Box& box) const {
        const auto a = (*this)(box.lattice(1, 0, 0)), b = (*this)(box.lattice(0, 1, 0)),
                   c = (*this)(box.lattice(0, 0, 1));
        core::Box out = box;
        out.lx = a.x, out.ly = b.y, out.lz = c.z;
        out.xy = b.x / b.y, out.xz = c.x / c.z, out.yz = c.y / c.z;
        return out;
    }
};

/// exp(ε) − 1 to third order, for rates times intervals.
AUREOLE_FN Strain exponential(const Strain& e) {
    const Strain one = (1.0 / 3) * e;
    // (1 + e/2 (1 + e/3)) e
    const auto product = [](const Strain& a, const Strain& b) {
        return Strain{a.xx * b.xx,
                      a.yy * b.yy,
                      a.zz * b.zz,
                      a.xx * b.xy + a.xy * b.yy,
                      a.xx * b.xz + a.xy * b.yz + a.xz * b.zz,
                      a.yy * b.yz + a.yz * b.zz};
    };
    const Strain square = product(e, e);
    return e + 0.5 * (square + product(one, square));
}

}  // namespace aureole::md
