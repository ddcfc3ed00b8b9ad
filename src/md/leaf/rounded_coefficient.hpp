// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <sstream>
#include <string_view>

#include "core/error.hpp"

namespace aureole::md {

/// A coefficient of `name` as kernels of precision T read it. Throws core::InputError if it is out
/// of their range: in some systems of units C₁₂ is zero in single precision.
template <class T>
T rounded_coefficient(double c, std::string_view name) {
    using Range = std::numeric_limits<T>;
    const double size = std::abs(c);
    if (size == 0 || (size >= double(Range::min()) && size <= double(Range::max())) ||
        !std::isfinite(c))
        return static_cast<T>(c);
    std::ostringstream why;
    why << "its coefficient " << c << " is out of the range from " << Range::min() << " to "
        << Range::max();
    throw core::InputError(
        std::string(name) + " cannot be computed in mixed precision in these units", why.str(),
        "Use units in which typical lengths and energies are near 1, or double precision.");
}

}  // namespace aureole::md
