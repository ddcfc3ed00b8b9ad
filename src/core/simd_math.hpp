// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwy/contrib/math/math-inl.h>

#include <cmath>

#include "core/simd.hpp"

namespace aureole::core {
inline namespace HWY_NAMESPACE {

/// eᵃ to one unit in the last place, by Highway; arguments up to 104 (float) and 706 (double).
template <class T, int N>
AUREOLE_FN Pack<T, N> exp(Pack<T, N> a) {
    if constexpr (fits_register<T, N>) {
        return Pack<T, N>(hn::Exp(typename Pack<T, N>::Tag{}, a.v));
    } else {
        return {exp(a.lo), exp(a.hi)};
    }
}

/// Natural logarithm, sine and cosine to a few units in the last place, by Highway.
template <class T, int N>
AUREOLE_FN Pack<T, N> log(Pack<T, N> a) {
    if constexpr (fits_register<T, N>) {
        return Pack<T, N>(hn::Log(typename Pack<T, N>::Tag{}, a.v));
    } else {
        return {log(a.lo), log(a.hi)};
    }
}
template <class T, int N>
AUREOLE_FN Pack<T, N> sin(Pack<T, N> a) {
    if constexpr (fits_register<T, N>) {
        return Pack<T, N>(hn::Sin(typename Pack<T, N>::Tag{}, a.v));
    } else {
        return {sin(a.lo), sin(a.hi)};
    }
}
template <class T, int N>
AUREOLE_FN Pack<T, N> cos(Pack<T, N> a) {
    if constexpr (fits_register<T, N>) {
        return Pack<T, N>(hn::Cos(typename Pack<T, N>::Tag{}, a.v));
    } else {
        return {cos(a.lo), cos(a.hi)};
    }
}

/// The angle of (x, y) in (-π, π], to four units in the last place of Highway's arc tangent; 0 at
/// the origin.
template <class T, int N>
AUREOLE_FN Pack<T, N> atan2(Pack<T, N> y, Pack<T, N> x) {
    if constexpr (fits_register<T, N>) {
        const typename Pack<T, N>::Tag tag;
        constexpr double pi = 3.14159265358979323846;
        const auto far = hn::Abs(x.v), up = hn::Abs(y.v);
        // The quotient is at most 1, where the arc tangent keeps its accuracy.
        const auto larger = hn::Max(hn::Max(far, up), hn::Set(tag, T(1e-37)));
        auto angle = hn::Atan(tag, hn::Div(hn::Min(far, up), larger));
        angle = hn::IfThenElse(hn::Lt(far, up), hn::Sub(hn::Set(tag, T(pi / 2)), angle), angle);
        angle =
            hn::IfThenElse(hn::Lt(x.v, hn::Zero(tag)), hn::Sub(hn::Set(tag, T(pi)), angle), angle);
        return Pack<T, N>(hn::CopySign(angle, y.v));
    } else {
        return {atan2(y.lo, x.lo), atan2(y.hi, x.hi)};
    }
}

/// The complementary error function, one number at a time.
template <class T, int N>
AUREOLE_FN Pack<T, N> erfc(Pack<T, N> a) {
    alignas(64) T lanes[N];
    a.store(lanes);
    for (T& lane : lanes) lane = std::erfc(lane);
    return Pack<T, N>::load(lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::core
