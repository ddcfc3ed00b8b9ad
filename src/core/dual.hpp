// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <type_traits>

#include "core/gpu/lanes.hpp"
#include "core/macros.hpp"

namespace aureole::core {

/// A value with its first derivative (forward automatic differentiation); lets a potential give its
/// energy alone.
template <class R>
struct Dual {
    R value{}, slope{};

    AUREOLE_FN constexpr Dual() = default;
    AUREOLE_FN constexpr Dual(R v) : value(v) {}
    AUREOLE_FN constexpr Dual(R v, R s) : value(v), slope(s) {}

    AUREOLE_FN friend constexpr Dual operator+(Dual a, Dual b) {
        return {a.value + b.value, a.slope + b.slope};
    }
    AUREOLE_FN friend constexpr Dual operator-(Dual a, Dual b) {
        return {a.value - b.value, a.slope - b.slope};
    }
    AUREOLE_FN friend constexpr Dual operator*(Dual a, Dual b) {
        return {a.value * b.value, a.slope * b.value + a.value * b.slope};
    }
    AUREOLE_FN friend constexpr Dual operator/(Dual a, Dual b) {
        const R q = a.value / b.value;
        return {q, (a.slope - q * b.slope) / b.value};
    }
    AUREOLE_FN friend constexpr Dual operator-(Dual a) { return {R(0) - a.value, R(0) - a.slope}; }
    AUREOLE_FN friend constexpr auto operator<(Dual a, Dual b) { return a.value < b.value; }
};

// The elementary functions below are found by argument-dependent look-up for every R: packs bring
// their own, float and double take these.
// On GPUs the hardware's estimates and a Newton step: within a unit in the last place.
AUREOLE_FN float recip(float a) {
#if AUREOLE_FOR_GPU
    const float r = gpu::estimate_recip(a);
    return fmaf(r, fmaf(-a, r, 1.0f), r);
#else
    return 1 / a;
#endif
}
AUREOLE_FN double recip(double a) { return 1 / a; }
AUREOLE_FN float rsqrt(float a) {
#if AUREOLE_FOR_GPU
    const float r = gpu::estimate_rsqrt(a);
    return fmaf(r * 0.5f, fmaf(-a * r, r, 1.0f), r);
#else
    return 1 / std::sqrt(a);
#endif
}
AUREOLE_FN double rsqrt(double a) { return 1 / std::sqrt(a); }

/// Both without the step, in kernels of pairs: their relative error of 2⁻²²·⁹ is below that which
/// the rounding of coordinates has.
template <class R>
AUREOLE_FN R estimated_recip(R a) {
#if AUREOLE_FOR_GPU
    if constexpr (std::is_same_v<R, float>) return gpu::estimate_recip(a);
#endif
    return recip(a);
}
template <class R>
AUREOLE_FN R estimated_rsqrt(R a) {
#if AUREOLE_FOR_GPU
    if constexpr (std::is_same_v<R, float>) return gpu::estimate_rsqrt(a);
#endif
    return rsqrt(a);
}
AUREOLE_FN float fms(float a, float b, float c) { return std::fma(a, b, -c); }
AUREOLE_FN double fms(double a, double b, double c) { return std::fma(a, b, -c); }
using std::erfc;
using std::exp;
using std::sqrt;

template <class R>
AUREOLE_FN Dual<R> recip(Dual<R> a) {
    const R q = recip(a.value);
    return {q, (R(0) - a.slope) * q * q};
}
template <class R>
AUREOLE_FN Dual<R> sqrt(Dual<R> a) {
    const R q = sqrt(a.value);
    return {q, a.slope / (q + q)};
}
template <class R>
AUREOLE_FN Dual<R> rsqrt(Dual<R> a) {
    const R q = rsqrt(a.value);
    return {q, R(-0.5) * a.slope * q * q * q};
}
template <class R>
AUREOLE_FN Dual<R> exp(Dual<R> a) {
    const R q = exp(a.value);
    return {q, a.slope * q};
}
template <class R>
AUREOLE_FN Dual<R> erfc(Dual<R> a) {
    constexpr double two_over_sqrt_pi = 1.1283791670955126;
    return {erfc(a.value), R(-two_over_sqrt_pi) * a.slope * exp(R(0) - a.value * a.value)};
}

}  // namespace aureole::core
