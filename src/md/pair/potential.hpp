// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include "md/leaf.hpp"

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

/// −(dU/dr)/r from the leaf, or by differentiating its energy with respect to r².
template <class P, class R>
AUREOLE_FN R force_over_r(R r2, const Coefficients<R, coefficient_count<P>>& c) {
    if constexpr (requires { P::force_over_r(r2, c); }) {
        return P::force_over_r(r2, c);
    } else {
        using D = core::Dual<R>;
        Coefficients<D, coefficient_count<P>> constants;
        for (std::size_t k = 0; k < c.size(); ++k) constants[k] = D(c[k]);
        return R(-2) * P::energy(D(r2, R(1)), constants).slope;
    }
}

/// How a potential ends at its cut-off. `none` and `shift` share their forces.
enum class Modifier { none, xplor, force_shift };

/// What the end of a potential needs for one pair of types.
template <class R>
struct CutOff {
    R r_cut2;      ///< square of the cut-off, 0 disables the pair
    R switch2;     ///< square of the switching radius
    R inv_width3;  ///< (r_cut² − r_switch²)⁻³
    R energy;      ///< subtracted from the energy: U(r_cut) in the shifted modes
    R slope;       ///< dU/dr at the cut-off, force-shift only
    R r_cut;
};

/// Energy and force of the potential as the simulation sees it, cut-off modifier included;
/// valid for r² below the cut-off.
template <class P, Modifier m, class R>
AUREOLE_FN PairValue<R> evaluate(R r2, const Coefficients<R, coefficient_count<P>>& c,
                                 const CutOff<R>& cut) {
    const R u = P::energy(r2, c);
    const R f = force_over_r<P>(r2, c);
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

/// Only the force; cheaper where the energy is not needed for it.
template <class P, Modifier m, class R>
AUREOLE_FN R evaluate_force(R r2, const Coefficients<R, coefficient_count<P>>& c,
                            const CutOff<R>& cut) {
    if constexpr (m == Modifier::none) {
        return force_over_r<P>(r2, c);
    } else if constexpr (m == Modifier::force_shift) {
        return force_over_r<P>(r2, c) + cut.slope * rsqrt(r2);
    } else {
        return evaluate<P, m>(r2, c, cut).force_over_r;
    }
}

}  // namespace aureole::md
