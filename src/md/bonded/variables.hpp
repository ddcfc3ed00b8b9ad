// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/geometry.hpp"

// The variables of the energies in leaf files: each has its links, and turns dU/dx into
// forces.
namespace aureole::md {

/// The distance r of two particles.
struct Distance {
    static constexpr int links = 1;
    AUREOLE_FN static constexpr Link link(int) { return {0, 1}; }

    template <class P, class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const TermCoefficients<P, R>& c,
                                 Vec3<R>* force) {
        const R r2 = bounded(dot(d[0], d[0])), r = sqrt(r2);
        force[0] = (R(0) - slope_of<P>(r, c) * rsqrt(r2)) * d[0];
        return P::energy(r, c);
    }
};

/// The square of the distance, which needs no root. Energies may be infinite at 0.
struct SquareDistance {
    static constexpr int links = 1;
    AUREOLE_FN static constexpr Link link(int) { return {0, 1}; }

    template <class P, class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const TermCoefficients<P, R>& c,
                                 Vec3<R>* force) {
        const R r2 = dot(d[0], d[0]);
        force[0] = (R(-2) * slope_of<P>(r2, c)) * d[0];
        return P::energy(r2, c);
    }
};

/// Links of an angle at the second of three particles.
struct AngleLinks {
    static constexpr int links = 2;
    AUREOLE_FN static constexpr Link link(int l) { return {2 * l, 1}; }
};

/// The angle θ in [0, π].
struct Angle : AngleLinks {
    template <class P, class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const TermCoefficients<P, R>& c,
                                 Vec3<R>* force) {
        const Bend<R> bend(d[0], d[1]);
        const R theta = bend.angle();
        force[0] = force[1] = {R(0), R(0), R(0)};
        bend.push_angle(slope_of<P>(theta, c), force[0], force[1]);
        return P::energy(theta, c);
    }
};

/// The cosine of an angle.
struct CosineOfAngle : AngleLinks {
    template <class P, class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const TermCoefficients<P, R>& c,
                                 Vec3<R>* force) {
        const Bend<R> bend(d[0], d[1]);
        const R cosine = bend.cosine();
        force[0] = force[1] = {R(0), R(0), R(0)};
        bend.push_cosine(slope_of<P>(cosine, c), force[0], force[1]);
        return P::energy(cosine, c);
    }
};

/// Links of a dihedral.
struct DihedralLinks {
    static constexpr int links = 3;
    AUREOLE_FN static constexpr Link link(int l) { return l == 2 ? Link{3, 2} : Link{l, l + 1}; }
};

/// The dihedral φ, as its cosine and sine; slopes are dU/dφ.
struct Dihedral : DihedralLinks {
    template <class P, class R>
    AUREOLE_FN static R evaluate(const Vec3<R>* d, const TermCoefficients<P, R>& c,
                                 Vec3<R>* force) {
        using D = core::Dual<R>;
        const Torsion<R> torsion(d[0], d[1], d[2]);
        const auto& t = torsion.turn;
        const Turn<D> with_slope{D(t.cosine, R(0) - t.sine), D(t.sine, t.cosine)};
        force[0] = force[1] = force[2] = {R(0), R(0), R(0)};
        torsion.push(slope_of<P, R>(t, with_slope, c), force[0], force[1], force[2]);
        return P::energy(t, c);
    }
};

}  // namespace aureole::md
