// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/vec3.hpp"

// Normal numbers from uniform ones, by sums, products, quotients and square roots alone: the bits
// are the same in packs of any width and one number at a time, on every instruction set. The
// coefficients of the polynomials interpolate at the Chebyshev nodes of their intervals; what they
// leave is below 2·10⁻¹⁷ of the function.
namespace aureole::core {

AUREOLE_FN double select(bool m, double a, double b) { return m ? a : b; }

/// The bits of √½, which mantissas are at least.
inline constexpr std::uint64_t bits_of_root_half = 0x3FE6A09E667F3BCD;

/// u = 2^exponent mantissa, the mantissa in [√½, √2); u a positive normal number below 1.
AUREOLE_FN void split(double u, double& exponent, double& mantissa) {
    std::uint64_t bits;
    std::memcpy(&bits, &u, sizeof bits);
    const std::uint64_t k = (bits - bits_of_root_half + (std::uint64_t{64} << 52)) >> 52;
    bits -= (k - 64) << 52;
    std::memcpy(&mantissa, &bits, sizeof bits);
    exponent = static_cast<double>(k) - 64;
}

/// c₀ + c₁ z + c₂ z² + …
template <class R, int n>
AUREOLE_FN R polynomial(R z, const double (&c)[n]) {
    R sum(c[n - 1]);
    for (int k = n - 2; k >= 0; --k) sum = sum * z + R(c[k]);
    return sum;
}

/// Natural logarithm of u in (0, 1): 2 artanh(f/(2 + f)) with f = mantissa − 1.
template <class R>
AUREOLE_FN R log_of_uniform(R u) {
    constexpr double ln2 = 0.693147180559945309;
    constexpr double series[] = {0.666666666666666963, 0.399999999998995048, 0.285714286259754868,
                                 0.222222111347950807, 0.181828891252617225, 0.153317216005560419,
                                 0.146164496850434061};
    R exponent, mantissa;
    split(u, exponent, mantissa);
    const R f = mantissa - R(1.0), s = f / (R(2.0) + f), z = s * s;
    return exponent * R(ln2) + (R(2.0) * s + s * (z * polynomial(z, series)));
}

template <class R>
struct SineCosine {
    R sine, cosine;
};

/// Sine and cosine of 2πu, u in (0, 1).
template <class R>
AUREOLE_FN SineCosine<R> sine_cosine_of_turn(R u) {
    using std::rint;
    constexpr double half_pi = 1.57079632679489662;
    constexpr double sines[] = {-0.166666666666666657,    0.00833333333333094797,
                                -0.000198412698367585736, 2.75573161025524389e-6,
                                -2.50511318450036243e-8,  1.59181292948666079e-10};
    constexpr double cosines[] = {-0.5,
                                  0.0416666666666666366,
                                  -0.00138888888888807752,
                                  2.48015872936934593e-5,
                                  -2.7557315566341895e-7,
                                  2.08758867380470521e-9,
                                  -1.13679986540224937e-11};
    const R t = R(4.0) * u, quarter = rint(t), x = R(half_pi) * (t - quarter), z = x * x;
    const R s = x + x * (z * polynomial(z, sines)), c = R(1.0) + z * polynomial(z, cosines);
    const R from_half = (quarter - R(2.0)) * (quarter - R(2.0));
    const auto odd = (R(0.5) < from_half) & (from_half < R(2.0));
    const R sine = select(odd, c, s), cosine = select(odd, s, c);
    return {select((R(1.5) < quarter) & (quarter < R(3.5)), -sine, sine),
            select((R(0.5) < quarter) & (quarter < R(2.5)), -cosine, cosine)};
}

/// Box and Muller's normal numbers (Ann. Math. Statist. 29, 610 (1958)) from four uniform ones.
template <class R>
AUREOLE_FN Vec3<R> normal_vector(const R (&uniform)[4]) {
    using std::sqrt;
    const R r1 = sqrt(R(-2.0) * log_of_uniform(uniform[0]));
    const R r2 = sqrt(R(-2.0) * log_of_uniform(uniform[2]));
    const auto first = sine_cosine_of_turn(uniform[1]);
    return {r1 * first.cosine, r1 * first.sine, r2 * sine_cosine_of_turn(uniform[3]).cosine};
}

}  // namespace aureole::core
