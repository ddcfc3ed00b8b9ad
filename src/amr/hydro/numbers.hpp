// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/macros.hpp"

// What leaf files use of numbers: plain ones, and packs of several (core/simd.hpp). Each gives the
// bits of the other, so minima and maxima are choices by one comparison.
namespace aureole::amr {

AUREOLE_FN double select(bool chosen, double a, double b) { return chosen ? a : b; }
AUREOLE_FN double sqrt(double a) { return std::sqrt(a); }

template <class N>
AUREOLE_FN N smaller(N a, N b) {
    return select(a < b, a, b);
}
template <class N>
AUREOLE_FN N larger(N a, N b) {
    return select(b < a, a, b);
}
template <class N>
AUREOLE_FN N absolute(N a) {
    return select(a < N(0.0), -a, a);
}

}  // namespace aureole::amr
