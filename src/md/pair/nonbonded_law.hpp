// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd_math.hpp"
#include "md/pair/ewald_split.hpp"
#include "md/pair/nonbonded_job.hpp"
#include "md/pair/potential.hpp"

// Dispersion, repulsion and charges of one pair (R a number) or of many (R a pack), with the ends
// that GROMACS' reference manual defines in "Modified interactions".
namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// What the mesh counts of a pair of unit charges: β³ ewald_force(β² r²) of the force over its
/// distance, in single precision without the bound of the argument (pairs beyond the cut-off are
/// left out whatever comes of them), and β ewald_energy(β² r²). All pairs of a run take the same
/// fits.
template <class R>
struct MeshShare {
    static constexpr bool single = detail::single_precision<R>;
    static constexpr int terms = MeshFit<R>::terms, wide_terms = MeshFit<R>::wide_terms;
    R beta, beta2, beta3;
    MeshFit<R> fit;

    template <class T>
    AUREOLE_FN explicit MeshShare(const NonbondedNumbers<T>& n)
        : beta(n.beta), beta2(n.beta * n.beta), beta3(n.beta3) {
        fit.wide = n.mesh.wide;
        if constexpr (single) {
            for (int k = 0; k < wide_terms; ++k)
                fit.top[k] = R(n.mesh.top[k]), fit.bottom[k] = R(n.mesh.bottom[k]);
            fit.middle = R(n.mesh.middle);
        }
    }
    AUREOLE_FN R force(R r2) const {
        if constexpr (single) {
            using core::recip;
            R p = fit.top[terms - 1], q = fit.bottom[terms - 1];
            if (fit.wide) p = fma(fit.top[terms], r2, p), q = fma(fit.bottom[terms], r2, q);
            for (int k = terms - 2; k >= 0; --k)
                p = fma(p, r2, fit.top[k]), q = fma(q, r2, fit.bottom[k]);
            return fma(p, recip(q), fit.middle);
        } else {
            const R z = beta2 * r2;
            return beta3 * (fit.wide ? ewald_force<true>(z) : ewald_force(z));
        }
    }
    AUREOLE_FN R energy(R r2) const {
        const R z = beta2 * r2;
        return beta * (fit.wide ? ewald_energy<true>(z) : ewald_energy(z));
    }
};

template <Coulomb coulomb, VdwEnd end, bool with_energy, class R>
struct NonbondedLaw {
    R r_coulomb2, r_vdw2;
    R twice_field, field, coulomb_shift;
    R dispersion_shift, repulsion_shift;
    R r_switch, switch3, switch4, switch5;
    SwitchedPower<R> dispersion, repulsion;
    MeshShare<R> mesh;

    template <class T>
    AUREOLE_FN explicit NonbondedLaw(const NonbondedNumbers<T>& n)
        : r_coulomb2(n.r_coulomb2),
          r_vdw2(n.r_vdw2),
          twice_field(n.twice_field),
          field(n.field),
          coulomb_shift(n.coulomb_shift),
          dispersion_shift(n.dispersion_shift),
          repulsion_shift(n.repulsion_shift),
          r_switch(n.r_switch),
          switch3(n.switch3),
          switch4(n.switch4),
          switch5(n.switch5),
          dispersion{R(n.dispersion.square), R(n.dispersion.cube), R(n.dispersion.constant)},
          repulsion{R(n.repulsion.square), R(n.repulsion.cube), R(n.repulsion.constant)},
          mesh(n) {}

    struct Vdw {
        R force_r, energy;  ///< force × distance
    };
    struct Charges {
        R force_over_r, energy;  ///< of unit charges
    };

    AUREOLE_FN Vdw vdw(R r2, R inv_r, R inv_r2, R c6, R c12) const {
        using core::fms;
        const R s6 = inv_r2 * inv_r2 * inv_r2, s12 = s6 * s6;
        const R attract = c6 * s6, repel = c12 * s12;
        constexpr double sixth = 1.0 / 6, twelfth = 1.0 / 12;
        Vdw v{R(0), R(0)};
        if constexpr (end != VdwEnd::force_switch) v.force_r = fms(c12, s6, c6) * s6;
        if constexpr (end == VdwEnd::plain) {
            if constexpr (with_energy)
                v.energy = c12 * fma(s12, R(twelfth), -repulsion_shift) -
                           c6 * fma(s6, R(sixth), -dispersion_shift);
        } else if constexpr (end == VdwEnd::potential_switch) {
            const R r = r2 * inv_r, d = max(r - r_switch, R(0)), d2 = d * d;
            const R potential = repel * R(twelfth) - attract * R(sixth);
            const R s = fma(d2 * d, fma(d, fma(d, switch5, switch4), switch3), R(1));
            const R slope = d2 * fma(d, fma(d, R(5) * switch5, R(4) * switch4), R(3) * switch3);
            v.force_r = v.force_r * s - potential * slope * r;
            v.energy = potential * s;
        } else {
            const R r = r2 * inv_r, d = max(r - r_switch, R(0)), d2 = d * d;
            const auto added = [&](const SwitchedPower<R>& p) {
                return r * d2 * fma(d, p.cube, p.square);
            };
            v.force_r = c12 * (s12 + added(repulsion)) - c6 * (s6 + added(dispersion));
            if constexpr (with_energy) {
                const auto left = [&](const SwitchedPower<R>& p) {
                    return d2 * d * fma(d, R(0.25) * p.cube, R(1.0 / 3) * p.square) + p.constant;
                };
                v.energy = c12 * fma(s12, R(twelfth), -left(repulsion)) -
                           c6 * fma(s6, R(sixth), -left(dispersion));
            }
        }
        return v;
    }

    /// `bare` is 1/r and `one` 1 for pairs that interact, 0 for excluded ones.
    AUREOLE_FN Charges charges(R r2, R bare, R inv_r2, R one) const {
        using core::fms;
        Charges c{R(0), R(0)};
        if constexpr (coulomb == Coulomb::reaction_field) {
            c.force_over_r = fms(bare, inv_r2, twice_field);
            if constexpr (with_energy) c.energy = bare + fma(field, r2, -coulomb_shift);
        } else {
            c.force_over_r = fms(bare, inv_r2, mesh.force(r2));
            if constexpr (with_energy) c.energy = bare - one * coulomb_shift - mesh.energy(r2);
        }
        return c;
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
