// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/dual.hpp"
#include "core/macros.hpp"

// What leaf files of pair potentials and bonded terms use.
namespace aureole::md {

// Energies are written once for float, double, SIMD packs and dual numbers; packs bring their own
// overloads of these.
using core::erfc;
using core::exp;
using core::recip;
using core::rsqrt;
using core::sqrt;
using std::atan2;
using std::rint;

/// a b + c with one rounding where the hardware has it; spelled out in leaves, because kernels are
/// compiled without contraction (bitwise reproducibility).
AUREOLE_FN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
AUREOLE_FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
template <class R>
AUREOLE_FN core::Dual<R> fma(core::Dual<R> a, core::Dual<R> b, core::Dual<R> c) {
    return a * b + c;
}

AUREOLE_FN float select(bool m, float a, float b) { return m ? a : b; }
AUREOLE_FN double select(bool m, double a, double b) { return m ? a : b; }
/// `Mask`: bool, or that of a pack.
template <class Mask, class R>
AUREOLE_FN core::Dual<R> select(Mask m, core::Dual<R> a, core::Dual<R> b) {
    return {select(m, a.value, b.value), select(m, a.slope, b.slope)};
}
AUREOLE_FN bool any(bool m) { return m; }
AUREOLE_FN float max(float a, float b) { return a < b ? b : a; }
AUREOLE_FN double max(double a, double b) { return a < b ? b : a; }

/// One parameter of a leaf: its name in Python and input files, its unit and meaning.
struct Parameter {
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    const char* name;
    const char* unit;
    const char* words;
    double usual = none;  ///< default
};

/// The numbers a kernel reads per pair of types or per kind of term, derived from the parameters.
template <class R, std::size_t n>
using Coefficients = std::array<R, n>;

template <class P>
inline constexpr std::size_t parameter_count = std::size(P::parameters);

/// The parameters of a leaf as its own functions take them.
template <class P>
std::array<double, parameter_count<P>> parameters_of(const double* from) {
    std::array<double, parameter_count<P>> parameters{};
    for (auto& parameter : parameters) parameter = *from++;
    return parameters;
}

}  // namespace aureole::md
