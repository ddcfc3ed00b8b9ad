// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/macros.hpp"

// What leaf files use of numbers: plain ones, and packs of several (core/simd.hpp). Each gives the
// bits of the other.
namespace aureole::amr {

AUREOLE_FN double select(bool chosen, double a, double b) { return chosen ? a : b; }
AUREOLE_FN double sqrt(double a) { return std::sqrt(a); }
/// As packs have them: the second of equal ones, and where one of them is none.
AUREOLE_FN double smaller(double a, double b) { return a < b ? a : b; }
AUREOLE_FN double larger(double a, double b) { return b < a ? a : b; }
AUREOLE_FN double absolute(double a) { return std::abs(a); }
AUREOLE_FN bool any(bool is) { return is; }

// Without registers, min() and max() pass over numbers that are none.
template <class Pack>
AUREOLE_FN Pack smaller(Pack a, Pack b) {
    return Pack::size == 1 ? select(a < b, a, b) : min(a, b);
}
template <class Pack>
AUREOLE_FN Pack larger(Pack a, Pack b) {
    return Pack::size == 1 ? select(b < a, a, b) : max(a, b);
}
template <class Pack>
AUREOLE_FN Pack absolute(Pack a) {
    return abs(a);
}

}  // namespace aureole::amr
