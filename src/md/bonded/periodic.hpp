// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/geometry.hpp"

namespace aureole::md {

/// The energy k [1 + cos(n φ − φ0)] of an angle or a dihedral.
struct Periodic {
    static constexpr int most = 63;  ///< minima

    static constexpr const char* problem(double n) {
        const bool whole = n >= -most && n <= most && n == static_cast<int>(n);
        return whole ? nullptr : "n must be a whole number between -63 and 63";
    }
    /// |n|, k and the cosine and sine of its phase.
    static Coefficients<double, 4> coefficients(double phi0, double k, double n) {
        return {n < 0 ? -n : n, k, std::cos(phi0), n < 0 ? -std::sin(phi0) : std::sin(phi0)};
    }
    template <class R>
    AUREOLE_FN static R energy(const Turn<R>& t, const Coefficients<R, 4>& c) {
        const auto many = power(t, c[0]);
        return c[1] * (R(1) + many.cosine * c[2] + many.sine * c[3]);
    }
    /// dU/dφ
    template <class R>
    AUREOLE_FN static R slope(const Turn<R>& t, const Coefficients<R, 4>& c) {
        const auto many = power(t, c[0]);
        return c[1] * c[0] * (many.cosine * c[3] - many.sine * c[2]);
    }

  private:
    /// The n-fold turn (e^iφ)ⁿ by squaring, without a trigonometric function.
    template <class R>
    AUREOLE_FN static Turn<R> power(const Turn<R>& t, R n) {
        Turn<R> z{R(1), R(0)};
        for (int bit = 32; bit >= 1; bit /= 2) {
            z = {z.cosine * z.cosine - z.sine * z.sine, R(2) * z.cosine * z.sine};
            const auto without = n < R(bit);
            const Turn<R> more{z.cosine * t.cosine - z.sine * t.sine,
                               z.cosine * t.sine + z.sine * t.cosine};
            z = {select(without, z.cosine, more.cosine), select(without, z.sine, more.sine)};
            n = select(without, n, n - R(bit));
        }
        return z;
    }
};

/// The energy k [1 − cos(n (θ − θ0))] of restraints of the angle θ.
struct PeriodicRestraint {
    /// Coefficients for `Periodic` from a row of θ0, k and n.
    static Coefficients<double, 4> coefficients(const std::array<double, 3>& p) {
        const auto c = Periodic::coefficients(p[2] * p[0], p[1], p[2]);
        return {c[0], c[1], -c[2], -c[3]};
    }
    /// Energy of the angle between two directions; adds the forces on their far ends.
    template <class R>
    AUREOLE_FN static R evaluate(const Bend<R>& bend, const Coefficients<R, 4>& c, Vec3<R>& on_a,
                                 Vec3<R>& on_b) {
        bend.push_angle(Periodic::slope(bend.turn(), c), on_a, on_b);
        return Periodic::energy(bend.turn(), c);
    }
};

}  // namespace aureole::md
