// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/nonbonded_job.hpp"
#include "md/twelve_six.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

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

    /// Of a pair with the coefficients C₆ and C₁₂, given as c6 = 6 C₆ and c12 = 12 C₁₂.
    AUREOLE_FN Vdw vdw(R r2, R inv_r, R inv_r2, R c6, R c12) const {
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
