// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/term.hpp"

// Distances, angles and dihedrals and their forces.
namespace aureole::md {

template <class R>
AUREOLE_FN Vec3<R> cross(const Vec3<R>& a, const Vec3<R>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Squares below this belong to coinciding or collinear particles: a bound for divisions, far
/// below relevant values, by which single precision can still divide.
inline constexpr double no_square = 1e-30;

template <class R>
AUREOLE_FN R bounded(R square) {
    return max(square, R(no_square));
}

/// Cosine and sine of an angle.
template <class R>
struct Turn {
    R cosine, sine;
};

/// The angle between two links that start at its vertex (or both end there).
template <class R>
struct Bend {
    Vec3<R> a, b, normal;  ///< normal = a × b
    R a2, b2, normal2, product;

    AUREOLE_FN Bend(const Vec3<R>& from, const Vec3<R>& to)
        : a(from), b(to), normal(cross(from, to)) {
        a2 = bounded(dot(a, a)), b2 = bounded(dot(b, b));
        normal2 = bounded(dot(normal, normal));
        product = dot(a, b);
    }
    AUREOLE_FN R inv_lengths() const { return rsqrt(a2) * rsqrt(b2); }
    AUREOLE_FN R cosine() const { return product * inv_lengths(); }
    /// The angle in [0, π]; the arc tangent keeps its digits near 0 and π, where the arc cosine
    /// loses half.
    AUREOLE_FN R angle() const { return atan2(sqrt(normal2), product); }
    AUREOLE_FN Turn<R> turn() const { return {cosine(), sqrt(normal2) * inv_lengths()}; }

    // ∂cos θ/∂a = (n × a)/(a² |a| |b|) and ∂cos θ/∂b = (b × n)/(b² |a| |b|) with n = a × b. Written
    // with n, only n itself is divided by sin θ, and forces stay finite at 0 and π.

    /// Adds the forces of dU/d(cos θ) to those on the far ends of a and b.
    AUREOLE_FN void push_cosine(R slope, Vec3<R>& on_a, Vec3<R>& on_b) const {
        push(R(0) - slope * inv_lengths(), on_a, on_b);
    }
    /// Adds the forces of dU/dθ.
    AUREOLE_FN void push_angle(R slope, Vec3<R>& on_a, Vec3<R>& on_b) const {
        push(slope * rsqrt(normal2), on_a, on_b);
    }

  private:
    AUREOLE_FN void push(R q, Vec3<R>& on_a, Vec3<R>& on_b) const {
        on_a += (q * recip(a2)) * cross(normal, a);
        on_b += (q * recip(b2)) * cross(b, normal);
    }
};

/// φ − φ0 in (−π, π], by the cosines and sines of both.
template <class R>
AUREOLE_FN R turned(const Turn<R>& to, const Turn<R>& from) {
    return atan2(to.sine * from.cosine - to.cosine * from.sine,
                 to.cosine * from.cosine + to.sine * from.sine);
}

/// Distance of x above the range [low, high], or below it (then negative).
template <class R>
AUREOLE_FN R outside(R x, R low, R high) {
    return max(x - high, R(0)) - max(low - x, R(0));
}

/// The dihedral of links f = x₀ − x₁, g = x₁ − x₂, h = x₃ − x₂ (Blondel & Karplus, J. Comput. Chem.
/// 17, 1132 (1996)); IUPAC's sign, 0 is cis.
template <class R>
struct Torsion {
    Vec3<R> a, b;  ///< normals f × g and h × g
    R inv_a2, inv_b2, g2, inv_g, fg, hg;
    Turn<R> turn;

    AUREOLE_FN Torsion(const Vec3<R>& f, const Vec3<R>& g, const Vec3<R>& h)
        : a(cross(f, g)), b(cross(h, g)) {
        // Three particles in a line to rounding have no dihedral; the bound keeps forces finite.
        const R flat(2 * std::numeric_limits<number_of<R>>::epsilon());
        g2 = bounded(dot(g, g));
        const R a2 = max(dot(a, a), bounded(flat * bounded(dot(f, f)) * g2));
        const R b2 = max(dot(b, b), bounded(flat * bounded(dot(h, h)) * g2));
        inv_a2 = recip(a2), inv_b2 = recip(b2);
        inv_g = rsqrt(g2);
        fg = dot(f, g), hg = dot(h, g);
        const R inv_ab = rsqrt(a2) * rsqrt(b2);
        turn.cosine = dot(a, b) * inv_ab;
        turn.sine = (R(0) - dot(f, b)) * (g2 * inv_g) * inv_ab;
    }
    AUREOLE_FN R angle() const { return atan2(turn.sine, turn.cosine); }

    /// Adds the forces of dU/dφ to those on the first ends of the links (eqs. 25 to 27 there).
    AUREOLE_FN void push(R slope, Vec3<R>& on_f, Vec3<R>& on_g, Vec3<R>& on_h) const {
        const R end = slope * g2 * inv_g, middle = slope * inv_g;
        on_f += (end * inv_a2) * a;
        on_g += (middle * hg * inv_b2) * b - (middle * fg * inv_a2) * a;
        on_h -= (end * inv_b2) * b;
    }
};

}  // namespace aureole::md
