// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "io/packed.hpp"
#include "md/particles/fixed_forces.hpp"

// The unit of forces in fixed point (docs/decisions/062-forces-in-fixed-point.md).
namespace aureole::md {

/// Where nothing is known, or there are no forces: from 10⁻¹⁸ to 10⁸.
inline constexpr int usual_force_exponent = -60;

/// How much larger a unit is than one that was too small, at least.
inline constexpr int margin_of_unit = 24;

/// What the unit is chosen by.
struct ForceScale {
    double root_mean_square;  ///< of the forces on particles, in the present unit
    double stopping;          ///< force that stops a particle in one step
    int exponent;             ///< of the present unit
};

/// Exponent of the unit for forces of a scale. Sums are at least 2⁶ (mixed precision) or 1 (double)
/// times finer than single precision or double precision would be at the root mean square, and
/// forces that change velocities by less than 2⁻⁶⁰ of themselves in one step do not count.
template <class T>
int force_exponent_for(const ForceScale& of) {
    constexpr int digits = sizeof(T) == sizeof(float) ? 40 : 48;
    constexpr int steps_up = 80;
    constexpr double least_of_stopping = 1.0 / (1 << 20);
    if (!std::isfinite(of.root_mean_square))
        return std::min(of.exponent + steps_up, ForceUnit::largest_exponent);
    const double scale = std::max(of.root_mean_square, least_of_stopping * of.stopping);
    if (scale == 0) return usual_force_exponent;
    return std::clamp(std::ilogb(scale) - digits, ForceUnit::smallest_exponent,
                      ForceUnit::largest_exponent);
}

/// The unit of forces, and what the next one follows from; earlier versions did not write it.
struct ForceUnitRecord {
    static constexpr const char* block = "lanes.forces";

    std::int64_t exponent;
    double mean_square_force;
};

}  // namespace aureole::md

namespace aureole::io {

template <>
struct PackedMembers<md::ForceUnitRecord> {
    using R = md::ForceUnitRecord;
    static constexpr std::tuple list{&R::exponent, &R::mean_square_force};
};

}  // namespace aureole::io
