// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/mixing_rule.hpp"
#include "md/pair/nonbonded_law.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

AUREOLE_FN float zero_unless(bool m, float a) { return m ? a : 0.0f; }
AUREOLE_FN double zero_unless(bool m, double a) { return m ? a : 0.0; }

/// All pairs interact.
struct NoneExcluded {
    static constexpr bool any = false;

    NoneExcluded() = default;
    template <class M>
    AUREOLE_FN explicit NoneExcluded(const M&) {}

    template <class R>
    AUREOLE_FN static R part(R a) {
        return a;
    }
};

/// Only some pairs interact: the others feel the smooth part of the charges alone.
template <class M>
struct SomeExcluded {
    static constexpr bool any = true;
    M interact;

    AUREOLE_FN explicit SomeExcluded(const M& those) : interact(those) {}

    template <class R>
    AUREOLE_FN R part(R a) const {
        return zero_unless(interact, a);
    }
};

/// Forces over the distance of pairs, and their energies.
template <class R>
struct NonbondedPair {
    R force, of_vdw, of_charge;  ///< force: the sum, as all kernels round it
    R energy_of_vdw, energy_of_charge;
};

/// Pairs at distances, and whether these are below the cut-offs of dispersion and of charges.
template <class R, class M>
struct PairsAtDistance {
    R r2;
    M in_vdw, in_coulomb;
    R qq;  ///< products of charges
};

/// Pairs of molecules, one (R a number) or many (R a pack), which all kernels evaluate alike.
/// `vdw(inv_r, inv_r2)`: dispersion and repulsion.
template <bool energy, class R, class M, class Law, class Excluded, class Vdw>
AUREOLE_FN NonbondedPair<R> nonbonded_pair(const Law& law, bool one_cut_off,
                                           const PairsAtDistance<R, M>& at,
                                           const Excluded& excluded, const Vdw& vdw) {
    const R inv_r = core::estimated_rsqrt(at.r2), inv_r2 = inv_r * inv_r, qq = at.qq;
    const auto power = vdw(inv_r, inv_r2);
    const auto charge = law.charges(at.r2, excluded.part(inv_r), inv_r2, excluded.part(R(1)));
    NonbondedPair<R> pair;
    pair.of_vdw = zero_unless(at.in_vdw, power.force_r * inv_r2);
    pair.of_charge = zero_unless(at.in_coulomb, qq * charge.force_over_r);
    // The same sums, rounded alike, in every kernel: lists may pair tiles up in many ways.
    if (one_cut_off && !Excluded::any)
        pair.force =
            zero_unless(at.in_coulomb, fma(power.force_r, inv_r2, qq * charge.force_over_r));
    else
        pair.force = pair.of_vdw + pair.of_charge;
    if constexpr (energy) {
        pair.energy_of_vdw = zero_unless(at.in_vdw, power.energy);
        pair.energy_of_charge = zero_unless(at.in_coulomb, qq * charge.energy);
    }
    return pair;
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
