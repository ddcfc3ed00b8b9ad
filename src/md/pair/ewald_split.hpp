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

/// middle + P(z)/Q(z), lowest power first. In single precision a constant near the middle of the
/// values halves what rounding the quotient costs.
template <int top_, int bottom_>
struct Ratio {
    static constexpr int top = top_, bottom = bottom_;
    double middle, p[top + 1], q[bottom + 1];
};

namespace split_fit {
/// Largest error 3.55e-8 of the value at 0.
inline constexpr Ratio<5, 5> force_single{
    0.375,
    {0.377252804, -0.2296581089, -0.04357140839, -0.009482202286, -0.001000547047,
     -7.051334957e-05},
    {1.0, 0.587655547, 0.1602721942, 0.02635024879, 0.002758846777, 0.0001872286195}};
/// Largest error 9.09e-9 of the value at 0.
inline constexpr Ratio<5, 5> energy_single{
    0.625,
    {0.503379157, -0.12409037, -0.01838910051, -0.00556917578, -0.0004321356879, -2.162227471e-05},
    {1.0, 0.5006874931, 0.1134272105, 0.01481723602, 0.001142506982, 3.786316243e-5}};
/// Largest error 1.58e-15 of the value at 0.
inline constexpr Ratio<9, 9> force_double{
    0,
    {0.752252778063676156, -0.0295152258464545848, 0.0212746392786572148, -0.0000963800814488429929,
     0.000133819596784087883, 1.45907798779272233e-6, 2.45804360022263112e-7,
     3.24508830705119011e-9, 5.69504411755449417e-11, -2.01862407470421499e-13},
    {1.0, 0.560764218216214482, 0.15045405387906473, 0.0255361049134292256, 0.00304933161986611181,
     0.000268830977212338648, 0.0000177793467500779501, 8.70541866417831909e-7,
     2.97166508617407591e-8, 5.88545481990014944e-10}};
/// Largest error 4.27e-16 of the value at 0.
inline constexpr Ratio<9, 9> energy_double{
    0,
    {1.12837916709551211, 0.200164925284648369, 0.0602590882740876277, 0.00537168715940423961,
     0.000629524188654005487, 0.0000326522032077166701, 1.83055818158073446e-6,
     4.86720969524081852e-8, 9.98787725299213265e-10, 2.65728042366734642e-12},
    {1.0, 0.510724879651793267, 0.123644853082816871, 0.0187125206650662866, 0.00196140942640579815,
     0.000148522119726270034, 8.17024741335390327e-6, 3.15742805494562247e-7,
     7.69238532819999209e-9, 7.8519896370392781e-11}};
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

// Coefficients are template arguments, so that device code, too, sees constants.
template <const auto& fit, int k, class R>
AUREOLE_FN R top_from(R z) {
    constexpr double c = fit.p[k];
    if constexpr (k == fit.top)
        return R(c);
    else
        return fma(top_from<fit, k + 1>(z), z, R(c));
}
template <const auto& fit, int k, class R>
AUREOLE_FN R bottom_from(R z) {
    constexpr double c = fit.q[k];
    if constexpr (k == fit.bottom)
        return R(c);
    else
        return fma(bottom_from<fit, k + 1>(z), z, R(c));
}

template <const auto& fit, class R>
AUREOLE_FN R ratio(R z) {
    using core::recip;
    const R p = top_from<fit, 0>(z), q = bottom_from<fit, 0>(z);
    constexpr double middle = fit.middle;
    if constexpr (single_precision<R>)
        return fma(p, recip(q), R(middle));  // in packs an estimate and a step of Newton's
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
        return detail::ratio<split_fit::force_single>(z);
    else
        return detail::ratio<split_fit::force_double>(z);
}

/// erf(x)/x with x = √z; ewald_force is −2 times its slope.
template <class R>
AUREOLE_FN R ewald_energy(R z) {
    z = detail::inside_fit(z);
    if constexpr (detail::single_precision<R>)
        return detail::ratio<split_fit::energy_single>(z);
    else
        return detail::ratio<split_fit::energy_double>(z);
}

}  // namespace aureole::md
