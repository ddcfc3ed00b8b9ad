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
