// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/constraints/constraint_job.hpp"

namespace aureole::md {

/// Displacements of a water's particles.
template <class R>
struct WaterMove {
    Three<R> o, h1, h2;
};

/// The frame in which SETTLE turns a triangle: z normal to the old plane, y towards the oxygen.
template <class R>
struct WaterFrame {
    Three<R> x, y, z;

    AUREOLE_FN WaterFrame(const Three<R>& h1, const Three<R>& h2, const Three<R>& o) {
        const auto unit = [](const Three<R>& a) {
            return (R(1.0) / Lanes<R>::root(dot(a, a))) * a;
        };
        const auto normal = cross(h1, h2);
        z = unit(normal);
        x = unit(cross(o, normal));
        y = cross(z, x);
    }
    AUREOLE_FN Three<R> into(const Three<R>& a) const { return {dot(x, a), dot(y, a), dot(z, a)}; }
    AUREOLE_FN Three<R> out(const Three<R>& a) const { return a.x * x + a.y * y + a.z * z; }
};

/// SETTLE (Miyamoto & Kollman, J. Comput. Chem. 13, 952 (1992)): the triangle of fixed shape that
/// keeps the centre of mass and turns about it as forces along its old edges turn it. All vectors
/// start at the oxygen: old ones h1_0, h2_0, moved ones h1, h2. Names as there: φ and ψ tilt the
/// plane, θ turns within it.
template <class R>
AUREOLE_FN WaterMove<R> settle(const SettleTables& w, const Three<R>& h1_0, const Three<R>& h2_0,
                               const Three<R>& h1, const Three<R>& h2) {
    const R ra(w.to_o), rb(w.to_h), rc(w.half_hh), one(1.0);
    const Three<R> centre = R(w.mass_h / (w.mass_o + 2 * w.mass_h)) * (h1 + h2);
    const Three<R> a1 = R(-1.0) * centre, b1 = h1 - centre, c1 = h2 - centre;
    const WaterFrame<R> frame(h1_0, h2_0, a1);
    const auto a = frame.into(a1), b = frame.into(b1), c = frame.into(c1);
    const R xb0 = dot(frame.x, h1_0), yb0 = dot(frame.y, h1_0);
    const R xc0 = dot(frame.x, h2_0), yc0 = dot(frame.y, h2_0);

    const R sin_phi = a.z / ra, cos_phi = Lanes<R>::root(one - sin_phi * sin_phi);
    const R sin_psi = (b.z - c.z) / (R(2.0) * rc * cos_phi);
    const R cos_psi = Lanes<R>::root(one - sin_psi * sin_psi);
    const R ya2 = ra * cos_phi, xb2 = R(0.0) - rc * cos_psi;
    const R down = R(0.0) - rb * cos_phi, tilt = rc * sin_psi * sin_phi;
    const R yb2 = down - tilt, yc2 = down + tilt;

    const R alpha = xb2 * (xb0 - xc0) + yb0 * yb2 + yc0 * yc2;
    const R beta = xb2 * (yc0 - yb0) + xb0 * yb2 + xc0 * yc2;
    const R gamma = xb0 * b.y - b.x * yb0 + xc0 * c.y - c.x * yc0;
    const R square = alpha * alpha + beta * beta;
    const R sin_theta = (alpha * gamma - beta * Lanes<R>::root(square - gamma * gamma)) / square;
    const R cos_theta = Lanes<R>::root(one - sin_theta * sin_theta);

    const Three<R> a3{R(0.0) - ya2 * sin_theta, ya2 * cos_theta, a.z};
    const Three<R> b3{xb2 * cos_theta - yb2 * sin_theta, xb2 * sin_theta + yb2 * cos_theta, b.z};
    const Three<R> c3{R(0.0) - xb2 * cos_theta - yc2 * sin_theta, yc2 * cos_theta - xb2 * sin_theta,
                      c.z};
    return {frame.out(a3 - a), frame.out(b3 - b), frame.out(c3 - c)};
}

/// Sums of a pass, in lanes.
template <class R>
struct PassSums {
    R xx{0.0}, yy{0.0}, zz{0.0}, xy{0.0}, xz{0.0}, yz{0.0}, stretch{0.0};

    /// s r ⊗ f, for forces whose sum of these is symmetric.
    AUREOLE_FN void add(R s, const Three<R>& r, const Three<R>& f) {
        const R half(0.5);
        xx = xx + s * r.x * f.x, yy = yy + s * r.y * f.y, zz = zz + s * r.z * f.z;
        xy = xy + half * s * (r.x * f.y + r.y * f.x);
        xz = xz + half * s * (r.x * f.z + r.z * f.x);
        yz = yz + half * s * (r.y * f.z + r.z * f.y);
    }
};

/// A pack, or one lane of it.
struct PackSlot {
    std::int64_t pack;
    int lane;
    int count;  ///< groups of the pack
};

/// Corrects the positions, and velocities where asked, of one pack of waters.
template <class R>
AUREOLE_FN void settle_move(const SettleTables& w, const ConstraintPass& p, PackSlot at,
                            PassSums<R>& sums) {
    using L = Lanes<R>;
    const std::int32_t* const o = w.atom + pack_index(at.pack, 3, 0) + at.lane;
    const std::int32_t *const h1 = o + pack_lanes, *const h2 = o + 2 * pack_lanes;
    const auto o_0 = L::rows(p.reference, o);
    auto b_0 = L::rows(p.reference, h1) - o_0, c_0 = L::rows(p.reference, h2) - o_0;
    const auto image = p.image();
    const auto shift_b = image.of(b_0), shift_c = image.of(c_0);
    b_0 = b_0 - shift_b, c_0 = c_0 - shift_c;
    const auto xo = L::rows(p.position, o), xb = L::rows(p.position, h1),
               xc = L::rows(p.position, h2);
    const auto d = settle<R>(w, b_0, c_0, xb - shift_b - xo, xc - shift_c - xo);
    L::put(p.position, o, xo + d.o), L::put(p.position, h1, xb + d.h1);
    L::put(p.position, h2, xc + d.h2);
    if (p.velocity != nullptr) {
        const R rate(p.inverse_dt);
        const auto correct = [&](const std::int32_t* i, const Three<R>& by) {
            L::put(p.velocity, i, L::rows(p.velocity, i) + rate * by);
        };
        correct(o, d.o), correct(h1, d.h1), correct(h2, d.h2);
    }
    if (!p.want_sums) return;
    const R mass = L::first(R(w.mass_h * p.force_factor()), at.count);
    sums.add(mass, b_0, d.h1), sums.add(mass, c_0, d.h2);
}

}  // namespace aureole::md
