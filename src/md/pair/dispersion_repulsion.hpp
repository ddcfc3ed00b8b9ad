// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/leaf/twelve_six.hpp"
#include "md/pair/nonbonded_job.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Coefficients of a pair's dispersion and repulsion: 6 C₆ and 12 C₁₂, or σ² and 24 ε.
template <class R>
struct PowerCoefficients {
    R c6, c12;
};
template <class R>
struct DiameterAndDepth {
    R diameter2, depth;

    AUREOLE_FN PowerCoefficients<R> powers() const {
        const R s6 = diameter2 * diameter2 * diameter2, c6 = depth * s6;
        return {c6, (c6 + c6) * s6};
    }
};

/// Coefficients of a pair from its particles' numbers: √(6 C₆) and √(12 C₁₂), or σ/2 and √(24 ε).
template <Mixing mixing, class R>
AUREOLE_FN auto mix(R a_i, R b_i, R a_j, R b_j) {
    static_assert(mixing != Mixing::table);
    if constexpr (mixing == Mixing::geometric) {
        return PowerCoefficients<R>{a_i * a_j, b_i * b_j};
    } else {
        const R diameter = a_i + a_j;
        return DiameterAndDepth<R>{diameter * diameter, b_i * b_j};
    }
}

/// Dispersion and repulsion of one pair (R a number) or of many (R a pack), and how they end.
template <VdwEnd end, bool with_energy, class R>
struct DispersionRepulsion {
    R r_vdw2;
    R dispersion_shift, repulsion_shift;  ///< plain end: r⁻⁶/6 and r⁻¹²/12 at the cut-off, or 0
    PotentialSwitch<R> potential_switch;     ///< its `start` is that of switched forces too
    SwitchedPower<R> dispersion, repulsion;  ///< switched forces

    template <class T>
    AUREOLE_FN explicit DispersionRepulsion(const NonbondedNumbers<T>& n)
        : r_vdw2(n.r_vdw2),
          dispersion_shift(n.dispersion_shift),
          repulsion_shift(n.repulsion_shift),
          potential_switch(n.potential_switch.template as<R>()),
          dispersion(n.dispersion.template as<R>()),
          repulsion(n.repulsion.template as<R>()) {}

    struct Vdw {
        R force_r, energy;  ///< force × distance
    };

    AUREOLE_FN Vdw vdw(R r2, R inv_r, R inv_r2, const DiameterAndDepth<R>& pair) const {
        Vdw v{R(0), R(0)};
        if constexpr (with_energy || end != VdwEnd::plain)
            v = vdw(r2, inv_r, inv_r2, pair.powers());
        if constexpr (end == VdwEnd::plain) {  // fewer operations, the same in all kernels
            const R s2 = pair.diameter2 * inv_r2, s6 = s2 * s2 * s2;
            v.force_r = twelve_six(s6, R(2), R(1), pair.depth * s6);
        }
        return v;
    }
    AUREOLE_FN Vdw vdw(R r2, R inv_r, R inv_r2, const PowerCoefficients<R>& pair) const {
        const R c6 = pair.c6, c12 = pair.c12;
        const R s6 = inv_r2 * inv_r2 * inv_r2, s12 = s6 * s6;
        const R attract = c6 * s6, repel = c12 * s12;
        constexpr double sixth = 1.0 / 6, twelfth = 1.0 / 12;
        Vdw v{R(0), R(0)};
        if constexpr (end != VdwEnd::force_switch) v.force_r = twelve_six(s6, c12, c6, s6);
        if constexpr (end == VdwEnd::plain) {
            if constexpr (with_energy)
                v.energy = c12 * fma(s12, R(twelfth), -repulsion_shift) -
                           c6 * fma(s6, R(sixth), -dispersion_shift);
        } else if constexpr (end == VdwEnd::potential_switch) {
            v.energy = repel * R(twelfth) - attract * R(sixth);
            potential_switch.apply(r2 * inv_r, v.energy, v.force_r);
        } else {
            const R r = r2 * inv_r, d = max(r - potential_switch.start, R(0));
            v.force_r = c12 * (s12 + repulsion.added_force(r, d)) -
                        c6 * (s6 + dispersion.added_force(r, d));
            if constexpr (with_energy)
                v.energy = c12 * fma(s12, R(twelfth), -repulsion.taken_energy(d)) -
                           c6 * fma(s6, R(sixth), -dispersion.taken_energy(d));
        }
        return v;
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
