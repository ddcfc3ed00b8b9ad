// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dual.hpp"
#include "core/macros.hpp"

// What a pair kernel takes off 1/r so that the mesh's part is not counted twice, as functions of
// z = (βr)² that are finite where particles meet (excluded pairs). With q q f the factor of a pair:
//
//   energy   q q f (1/r − β ewald_energy(z))
//   force/r  q q f (1/r³ − β³ ewald_force(z))
//
// and the same without 1/r for excluded pairs. Fits: tools/fit_ewald_split.py,
// docs/decisions/014-ewald-split.md.
namespace aureole::md {

/// Coefficients of P(z)/Q(z), lowest power first; Q starts with 1.
template <int top, int bottom>
struct Ratio {
    double p[top + 1], q[bottom + 1];
};

namespace split_fit {
@FITS@
}  // namespace split_fit

namespace detail {

template <class R>
struct NumberOf {
    using type = typename R::value_type;
};
template <>
struct NumberOf<float> {
    using type = float;
};
template <>
struct NumberOf<double> {
    using type = double;
};
template <class R>
inline constexpr bool single_precision = sizeof(typename NumberOf<R>::type) == sizeof(float);

AUREOLE_FN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
AUREOLE_FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
AUREOLE_FN float min(float a, float b) { return a < b ? a : b; }
AUREOLE_FN double min(double a, double b) { return a < b ? a : b; }

template <int k, int last, class R>
AUREOLE_FN R horner(R z, const double* c) {
    if constexpr (k == last)
        return R(c[k]);
    else
        return fma(horner<k + 1, last>(z, c), z, R(c[k]));
}

template <int top, int bottom, class R>
AUREOLE_FN R ratio(R z, const Ratio<top, bottom>& fit) {
    using core::recip;
    const R p = horner<0, top>(z, fit.p), q = horner<0, bottom>(z, fit.q);
    if constexpr (single_precision<R>)
        return p * recip(q);  // an estimate and a step of Newton's in packs
    else
        return p / q;
}

/// The fits end at z = 16, where erf(4) is 1 but for 2e-8.
template <class R>
AUREOLE_FN R inside_fit(R z) {
    return min(z, R(16.0));
}

}  // namespace detail

/// (erf(x)/x − 2/√π exp(−x²))/x² with x = √z.
template <class R>
AUREOLE_FN R ewald_force(R z) {
    z = detail::inside_fit(z);
    if constexpr (detail::single_precision<R>)
        return detail::ratio(z, split_fit::force_single);
    else
        return detail::ratio(z, split_fit::force_double);
}

/// erf(x)/x with x = √z; ewald_force is −2 times its slope.
template <class R>
AUREOLE_FN R ewald_energy(R z) {
    z = detail::inside_fit(z);
    if constexpr (detail::single_precision<R>)
        return detail::ratio(z, split_fit::energy_single);
    else
        return detail::ratio(z, split_fit::energy_double);
}

}  // namespace aureole::md
