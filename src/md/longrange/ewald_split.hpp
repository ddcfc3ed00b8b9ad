// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/simd_math.hpp"

// The smooth part of a charge's potential, as functions of z = (β r)².
namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// erf(x)/x with x = √z.
AUREOLE_FN double ewald_energy(double z) {
    constexpr double two_over_root_pi = 1.1283791670955126;
    const double x = std::sqrt(z);
    return z < 1e-4 ? two_over_root_pi * (1 - z / 3 + z * z / 10) : std::erf(x) / x;
}
/// (erf(x)/x − 2/√π exp(−x²))/x² with x = √z.
AUREOLE_FN double ewald_force(double z) {
    constexpr double two_over_root_pi = 1.1283791670955126;
    return z < 1e-3 ? two_over_root_pi * (2.0 / 3 - z * (2.0 / 5 - z / 7))
                    : (ewald_energy(z) - two_over_root_pi * std::exp(-z)) / z;
}
template <class T, int N>
AUREOLE_FN core::Pack<T, N> ewald_energy(core::Pack<T, N> z) {
    alignas(64) T lanes[N];
    z.store(lanes);
    for (T& lane : lanes) lane = static_cast<T>(ewald_energy(static_cast<double>(lane)));
    return core::Pack<T, N>::load(lanes);
}
template <class T, int N>
AUREOLE_FN core::Pack<T, N> ewald_force(core::Pack<T, N> z) {
    alignas(64) T lanes[N];
    z.store(lanes);
    for (T& lane : lanes) lane = static_cast<T>(ewald_force(static_cast<double>(lane)));
    return core::Pack<T, N>::load(lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
