// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "core/dual.hpp"
#include "core/macros.hpp"

// What a pair kernel subtracts from 1/r so that the mesh's part is not counted twice, as functions
// of z = (βr)² that are finite where particles coincide (excluded pairs). With q q f the factor of
// a pair:
//
//   energy   q q f (1/r − β ewald_energy(z))
//   force/r  q q f (1/r³ − β³ ewald_force(z))
//
// and the same without 1/r for excluded pairs. The usual fits end at z = 16, where erfc(4) is
// 1.5e-8; the wide ones serve smaller tolerances at the cut-off. Fits: tools/fit_ewald_split.py,
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
/// Largest z of the usual and of the wide fits.
inline constexpr double last = 16, wide_last = 33;

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

/// Largest error 6.55e-8 of the value itself.
inline constexpr Ratio<6, 6> wide_force_single{
    0,
    {0.7522527326, -0.008181896764, 0.02004281964, 0.0003549879662, 0.0001238845918, 1.467479741e-6,
     -3.195941546e-9},
    {1.0, 0.5891213244, 0.1658434545, 0.02926355834, 0.003587632263, 0.0002964060835,
     2.129055213e-5}};
/// Largest error 1.34e-8 of the value itself.
inline constexpr Ratio<6, 6> wide_energy_single{
    0,
    {1.128379182, 0.2063318067, 0.05956256689, 0.005066596585, 0.0005277482216, 1.282804348e-5,
     2.402155857e-8},
    {1.0, 0.5161906032, 0.1248467726, 0.0183023883, 0.001737010399, 0.0001060027505,
     8.529240717e-7}};
/// Largest error 5.92e-18 of the value at 0.
inline constexpr Ratio<12, 12> wide_force_double{
    0,
    {0.752252778063675052, -0.0260898110279611761, 0.022694068528761229, -0.000038517419700757732,
     0.000177136365018261725, 2.44647387996417763e-6, 5.45114022388390377e-7,
     1.07252336654514624e-8, 7.28798343244858824e-10, 1.21517828980486572e-11,
     3.29273960352253486e-13, 1.12698704328493587e-15, -9.41119302143747522e-19},
    {1.0, 0.565317760480570166, 0.155073083870008851, 0.0274086830129632603, 0.00349364367360276948,
     0.000340331973044080304, 0.0000261681341244661544, 1.61462984476275453e-6,
     8.02730960033416108e-8, 3.18568818710582527e-9, 9.79935801786514128e-11,
     2.17645117250438203e-12, 2.86156261124228435e-14}};
/// Largest error 2.19e-18 of the value at 0.
inline constexpr Ratio<12, 12> wide_energy_double{
    0,
    {1.12837916709551257, 0.217046367194684406, 0.0655879854545934527, 0.00672287268901521586,
     0.000841369453481282013, 0.0000551310751390755007, 3.81014207679618654e-6,
     1.63579501192118963e-7, 6.61997241736244744e-9, 1.67897644040444113e-10,
     3.41960525438203632e-12, 2.41731216813128822e-14, 1.77995150569951839e-17},
    {1.0, 0.525685668012968671, 0.133354394700390006, 0.0216504127017393943, 0.00251370482709227118,
     0.000220669430802807351, 0.0000150763159132771225, 8.10757950734225317e-7,
     3.41602483197407398e-8, 1.09929973352318857e-9, 2.53274833120417822e-11,
     3.50893536759320029e-13, 9.82733143809411825e-16}};
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
        return fma(p, recip(q), R(middle));  // in packs an estimate and a Newton step
    else
        return p / q;
}

/// The quotient that a precision asks for; beyond their ends fits keep their last value.
template <bool wide, const auto& of_single, const auto& of_double, class R>
AUREOLE_FN R fitted(R z) {
    z = min(z, R(wide ? split_fit::wide_last : split_fit::last));
    if constexpr (single_precision<R>)
        return ratio<of_single>(z);
    else
        return ratio<of_double>(z);
}

}  // namespace detail

/// (erf(x)/x − 2/√π exp(−x²))/x² with x = √z.
template <bool wide = false, class R>
AUREOLE_FN R ewald_force(R z) {
    using namespace split_fit;
    if constexpr (wide)
        return detail::fitted<true, wide_force_single, wide_force_double>(z);
    else
        return detail::fitted<false, force_single, force_double>(z);
}

/// erf(x)/x with x = √z; ewald_force is −2 times its slope.
template <bool wide = false, class R>
AUREOLE_FN R ewald_energy(R z) {
    using namespace split_fit;
    if constexpr (wide)
        return detail::fitted<true, wide_energy_single, wide_energy_double>(z);
    else
        return detail::fitted<false, energy_single, energy_double>(z);
}

/// Both at any z, by their definition, where z is not small.
struct EwaldFar {
    double force, energy;

    AUREOLE_FN explicit EwaldFar(double z) {
        const double x = std::sqrt(z);
        energy = std::erf(x) / x;
        force = (energy - 2 * std::numbers::inv_sqrtpi * std::exp(-z)) / z;
    }
};

}  // namespace aureole::md
