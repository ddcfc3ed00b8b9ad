// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct PeriodicDihedral {
    static constexpr const char* words =
        "Periodic dihedral, U(phi) = k [1 + cos(n phi - phi0)]; phi = 0 is cis.";
    static constexpr Parameter parameters[] = {
        {"phi0", "radian", "phase"},
        {"k", "energy", "half the height of the barrier"},
        {"n", "", "number of minima in a turn"},
    };
    using variable = Dihedral;
    static constexpr int most = 63;  ///< minima

    static constexpr const char* problem(const std::array<double, 3>& p, const TermConstants&) {
        const double n = p[2];
        const bool whole = n >= -most && n <= most && n == static_cast<int>(n);
        return whole ? nullptr : "n must be a whole number between -63 and 63";
    }
    /// |n| and its phase.
    static Coefficients<double, 4> coefficients(const std::array<double, 3>& p,
                                                const TermConstants&) {
        return {p[2] < 0 ? -p[2] : p[2], p[1], std::cos(p[0]),
                p[2] < 0 ? -std::sin(p[0]) : std::sin(p[0])};
    }
    template <class R>
    AUREOLE_FN static R energy(const Turn<R>& t, const Coefficients<R, 4>& c) {
        const auto many = power(t, c[0]);
        return c[1] * (R(1) + many.cosine * c[2] + many.sine * c[3]);
    }
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

}  // namespace aureole::md::terms
