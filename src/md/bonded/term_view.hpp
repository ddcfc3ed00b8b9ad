// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/box.hpp"
#include "md/bonded/term.hpp"
#include "md/box/of_box.hpp"

namespace aureole::md {

/// Shortest images of differences of positions of any length, as core::nearest_image(), in boxes
/// whose tilts are at most a half; for double and packs of doubles.
struct ShortestImage {
    double lx, ly, lz;
    double xy, xz, yz;              ///< off-diagonal components of the lattice vectors
    double inv_lx, inv_ly, inv_lz;  ///< 0 where not periodic
    bool tilted;
    double near2;  ///< vectors up to this length have no shorter image: (half the smallest face
                   ///< distance)²

    ShortestImage() = default;
    AUREOLE_FN explicit ShortestImage(const core::Box& b)
        : lx(b.lx),
          ly(b.ly),
          lz(b.lz),
          xy(b.xy * b.ly),
          xz(b.xz * b.lz),
          yz(b.yz * b.lz),
          inv_lx(b.periodic_x ? 1 / b.lx : 0),
          inv_ly(b.periodic_y ? 1 / b.ly : 0),
          inv_lz(b.periodic_z ? 1 / b.lz : 0),
          tilted(!b.orthorhombic()) {
        const auto face = b.face_distances();
        const double near = 0.5 * std::min(face.x, std::min(face.y, face.z));
        near2 = near * near;
    }

    template <class D>
    AUREOLE_FN Vec3<D> operator()(Vec3<D> d) const {
        const D n3 = rint(d.z * D(inv_lz));
        d.z -= n3 * D(lz), d.y -= n3 * D(yz), d.x -= n3 * D(xz);
        const D n2 = rint(d.y * D(inv_ly));
        d.y -= n2 * D(ly), d.x -= n2 * D(xy);
        d.x -= rint(d.x * D(inv_lx)) * D(lx);
        if (tilted && any(D(near2) < dot(d, d))) return among_neighbors(d);
        return d;
    }

    /// The shortest of an image and those that are one lattice vector of each kind away at most.
    template <class D>
    AUREOLE_FN Vec3<D> among_neighbors(const Vec3<D>& d) const {
        const int nx = inv_lx > 0 ? 1 : 0, ny = inv_ly > 0 ? 1 : 0, nz = inv_lz > 0 ? 1 : 0;
        Vec3<D> best = d;
        for (int z = -nz; z <= nz; ++z)
            for (int y = -ny; y <= ny; ++y)
                for (int x = -nx; x <= nx; ++x) {
                    const Vec3<D> other{d.x + D(x * lx + y * xy + z * xz), d.y + D(y * ly + z * yz),
                                        d.z + D(z * lz)};
                    const auto shorter = dot(other, other) < dot(best, best);
                    best = {select(shorter, other.x, best.x), select(shorter, other.y, best.y),
                            select(shorter, other.z, best.z)};
                }
        return best;
    }
};

/// The fixed points of terms in a box of any size and shape: fractions of its vectors, or
/// constant lengths plus a common fraction of its vectors.
struct Anchors {
    bool with_box = false;
    core::Vec3d common{};  ///< parts of the box's vectors
};

/// Fixed points in one box.
struct AnchorMap {
    core::Vec3d origin{};
    double xx = 1, xy = 0, xz = 0, yy = 1, yz = 0, zz = 1;
    double lever = 1;  ///< the part of a point that does not scale with the box enters the virial

    AnchorMap() = default;
    AUREOLE_FN AnchorMap(const Anchors& anchors, const core::Box& b) {
        if (!anchors.with_box) {
            origin = b.lattice(anchors.common.x, anchors.common.y, anchors.common.z);
            return;
        }
        xx = b.lx, xy = b.xy * b.ly, xz = b.xz * b.lz;
        yy = b.ly, yz = b.yz * b.lz, zz = b.lz;
        lever = 0;
    }
    template <class D>
    AUREOLE_FN Vec3<D> operator()(const Vec3<D>& p) const {
        return {D(origin.x) + D(xx) * p.x + D(xy) * p.y + D(xz) * p.z,
                D(origin.y) + D(yy) * p.y + D(yz) * p.z, D(origin.z) + D(zz) * p.z};
    }
};

/// Fixed points in a box that kernels may change.
class Anchoring {
  public:
    Anchoring() = default;
    Anchoring(const Anchors& anchors, const OfBox<core::Box>& box) : anchors_(anchors), box_(box) {
        if (!box.on_device()) value_ = AnchorMap(anchors, box.value());
    }
    AUREOLE_FN AnchorMap operator()() const {
        if (box_.on_device()) return {anchors_, box_()};
        return value_;
    }

  private:
    Anchors anchors_;
    OfBox<core::Box> box_;
    AnchorMap value_;
};

/// All terms of one kind as kernels read them; device memory.
template <class T>
struct TermView {
    const core::Vec3d* position;
    OfBox<ShortestImage> image;
    const std::int32_t* particle;  ///< [particles of a term][stride] local indices
    const std::int32_t* row;       ///< [stride]
    std::int64_t stride;
    const T* coefficients;  ///< [coefficients][rows]
    const double* exact;    ///< the same in double precision, for fixed points
    std::int32_t rows;
    TermTables<T> tables;
    Anchoring anchors;
};

/// One term, number by number: energy, differences and the forces of its links.
template <class P, class T>
struct OneTerm {
    Vec3<T> d[link_count<P>], force[link_count<P>];
    T energy;

    AUREOLE_FN OneTerm(const TermView<T>& v, std::int64_t i) {
        const std::int32_t row = v.row[i];
        TermCoefficients<P, T> c;
        for (std::size_t k = 0; k < c.size(); ++k)
            c[k] = v.coefficients[static_cast<std::int64_t>(k) * v.rows + row];
        const auto image = v.image();
        for (int l = 0; l < link_count<P>; ++l) {
            const Link link = shape_of<P>::link(l);
            const auto from = v.position[v.particle[link.first * v.stride + i]];
            const auto to = link.second == anchor
                                ? v.anchors()(fixed_point(v, row))
                                : v.position[v.particle[link.second * v.stride + i]];
            const auto shortest = image(from - to);
            d[l] = {static_cast<T>(shortest.x), static_cast<T>(shortest.y),
                    static_cast<T>(shortest.z)};
        }
        energy = evaluate_term<P, T>(d, c, v.tables, force);
    }

    /// Force on the p-th particle.
    AUREOLE_FN Vec3<T> on(int p) const {
        Vec3<T> sum{};
        for (int l = 0; l < link_count<P>; ++l) {
            const Link link = shape_of<P>::link(l);
            if (link.first == p) sum += force[l];
            if (link.second == p) sum -= force[l];
        }
        return sum;
    }
    /// Σ r ⊗ F; with fixed points r is the separation, and what the box does not move of the point.
    AUREOLE_FN core::Sym3d virial(const TermView<T>& v, std::int64_t i) const {
        core::Sym3d sum{};
        for (int l = 0; l < link_count<P>; ++l) {
            core::Vec3d r{double(d[l].x), double(d[l].y), double(d[l].z)};
            if constexpr (is_anchored<P>()) r += v.anchors().lever * fixed_point(v, v.row[i]);
            const core::Vec3d f{double(force[l].x), double(force[l].y), double(force[l].z)};
            sum += symmetric_outer(r, f);
        }
        return sum;
    }

    /// The fixed point as parameters have it.
    AUREOLE_FN static core::Vec3d fixed_point(const TermView<T>& v, std::int32_t row) {
        const double* at = v.exact + static_cast<std::int64_t>(term_coefficients<P> - 3) * v.rows;
        return {at[row], at[v.rows + row], at[2 * static_cast<std::int64_t>(v.rows) + row]};
    }
};

}  // namespace aureole::md
