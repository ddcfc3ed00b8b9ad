// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include "md/leaf/leaf.hpp"
#include "md/pair/pair_values.hpp"

// What a potential's leaf file is made of (docs/howto/add-a-potential.md).
namespace aureole::md {

/// Leaves may derive kernel coefficients from their parameters; otherwise these are the parameters.
template <class P>
constexpr auto derive_coefficients(const std::array<double, parameter_count<P>>& parameters) {
    if constexpr (requires { P::coefficients(parameters); }) {
        return P::coefficients(parameters);
    } else {
        return parameters;
    }
}

template <class P>
inline constexpr std::size_t coefficient_count =
    std::tuple_size_v<decltype(derive_coefficients<P>({}))>;

/// Energy and force over distance of one pair.
template <class R>
struct PairValue {
    R energy, force_over_r;
};

/// The square of the distance of what a leaf gets.
template <class P, class R>
AUREOLE_FN R r2_of(const PairOf<P, R>& pair) {
    if constexpr (reads_columns<P>)
        return pair.r2;
    else
        return pair;
}

/// −(dU/dr)/r from the leaf, or by differentiating its energy with respect to r².
template <class P, class R>
AUREOLE_FN R force_over_r(const PairOf<P, R>& pair,
                          const Coefficients<R, coefficient_count<P>>& c) {
    if constexpr (requires { P::force_over_r(pair, c); }) {
        return P::force_over_r(pair, c);
    } else {
        static_assert(!reads_vectors<P>,
                      "a leaf that reads vectors says what its force along the separation is");
        using D = core::Dual<R>;
        Coefficients<D, coefficient_count<P>> constants;
        for (std::size_t k = 0; k < c.size(); ++k) constants[k] = D(c[k]);
        if constexpr (reads_columns<P>) {
            PairOf<P, D> moved;
            moved.r2 = D(pair.r2, R(1));
            for (int k = 0; k < numbers_read<P>; ++k)
                moved.i.value[k] = D(pair.i.value[k]), moved.j.value[k] = D(pair.j.value[k]);
            return R(-2) * P::energy(moved, constants).slope;
        } else {
            return R(-2) * P::energy(D(pair, R(1)), constants).slope;
        }
    }
}

/// Modifiers of a potential at its cut-off. `none` and `shift` share their forces.
enum class Modifier { none, xplor, force_shift };

/// Cut-off and modifier of one pair of types.
template <class R>
struct CutOff {
    R r_cut2;      ///< square of the cut-off, 0 disables the pair
    R switch2;     ///< square of the switching radius
    R inv_width3;  ///< (r_cut² − r_switch²)⁻³
    R energy;      ///< subtracted from the energy: U(r_cut) in the shifted modes; for a leaf that
                   ///< reads columns, how often kernels subtract what they find there: 0 or 1
    R slope;       ///< dU/dr at the cut-off, force-shift only; not of leaves that read columns
    R r_cut;
};

/// The cut-off with the energy and the slope that a pair has there, which are in no table where a
/// leaf reads columns.
template <class P, Modifier m, class R>
AUREOLE_FN CutOff<R> cut_off_of(const PairOf<P, R>& pair,
                                const Coefficients<R, coefficient_count<P>>& c, CutOff<R> cut) {
    core::Vec3<R> d{};
    if constexpr (reads_vectors<P>) d = (cut.r_cut * rsqrt(pair.r2)) * pair.d;
    const auto there = pair_of<P, R>(d, cut.r_cut2, pair.i, pair.j);
    cut.energy = select(R(0) < cut.energy, P::energy(there, c), R(0));
    if constexpr (m == Modifier::force_shift)
        cut.slope = R(0) - force_over_r<P, R>(there, c) * cut.r_cut;
    return cut;
}

/// evaluate() for a cut-off that knows the energy and the slope there.
template <class P, Modifier m, class R>
AUREOLE_FN PairValue<R> evaluate_to(const CutOff<R>& cut, const PairOf<P, R>& pair,
                                    const Coefficients<R, coefficient_count<P>>& c) {
    const R r2 = r2_of<P, R>(pair);
    const R u = P::energy(pair, c);
    const R f = force_over_r<P, R>(pair, c);
    if constexpr (m == Modifier::none) {
        return {u - cut.energy, f};
    } else if constexpr (m == Modifier::xplor) {
        // S = (c−x)²(c+2x−3o)/(c−o)³ with x = r²; dS/dx = 6 (c−x)(o−x)/(c−o)³ (X-PLOR's switch)
        const R inside = cut.r_cut2 - r2;
        const R beyond = r2 - cut.switch2;
        const R s =
            inside * inside * cut.inv_width3 * (cut.r_cut2 + R(2) * r2 - R(3) * cut.switch2);
        const R ds = R(12) * inside * beyond * cut.inv_width3;
        const auto switched = cut.switch2 < r2;
        return {select(switched, s * u, u), select(switched, s * f + u * ds, f)};
    } else {
        const R inv_r = rsqrt(r2);
        return {u - cut.energy - cut.slope * (r2 * inv_r - cut.r_cut), f + cut.slope * inv_r};
    }
}

/// Energy and force of the potential as the simulation sees it, cut-off modifier included;
/// valid for r² below the cut-off.
template <class P, Modifier m, class R>
AUREOLE_FN PairValue<R> evaluate(const PairOf<P, R>& pair,
                                 const Coefficients<R, coefficient_count<P>>& c,
                                 const CutOff<R>& cut) {
    if constexpr (reads_columns<P> && m != Modifier::xplor)
        return evaluate_to<P, m, R>(cut_off_of<P, m, R>(pair, c, cut), pair, c);
    else
        return evaluate_to<P, m, R>(cut, pair, c);
}

/// Only the force; cheaper where the energy is not needed for it.
template <class P, Modifier m, class R>
AUREOLE_FN R evaluate_force(const PairOf<P, R>& pair,
                            const Coefficients<R, coefficient_count<P>>& c, const CutOff<R>& cut) {
    if constexpr (m == Modifier::none) {
        return force_over_r<P, R>(pair, c);
    } else if constexpr (m == Modifier::force_shift && !reads_columns<P>) {
        return force_over_r<P, R>(pair, c) + cut.slope * rsqrt(r2_of<P, R>(pair));
    } else {
        return evaluate<P, m, R>(pair, c, cut).force_over_r;
    }
}

}  // namespace aureole::md
