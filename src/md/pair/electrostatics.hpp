// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd_cubics.hpp"
#include "core/simd_math.hpp"
#include "md/pair/nonbonded_job.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// How a kernel's pairs get the mesh's contribution: by cubics where the run has some and the
/// processor's registers hold them, or always in one way, for loops without a branch.
enum class MeshBy { cubics_if_any, cubics, quotient };

/// Contribution of the mesh to a pair of unit charges: β³ ewald_force(β² r²) to the force over its
/// distance, in single precision without the bound of the argument (pairs beyond the cut-off are
/// left out in any case), and β ewald_energy(β² r²) to the energy. All pairs of a run take the same
/// fits.
template <class R, MeshBy by = MeshBy::cubics_if_any>
struct MeshContribution {
    static constexpr bool single = detail::single_precision<R>;
    static constexpr int terms = MeshFit<R>::terms, wide_terms = MeshFit<R>::wide_terms;
    using Cubics = core::Cubics<R>;
    static constexpr bool cubics_known = Cubics::any && by != MeshBy::quotient;
    R beta, beta2, beta3;
    MeshFit<R> fit;
    Cubics cubics;
    bool by_cubics = false;

    template <class T>
    AUREOLE_FN explicit MeshContribution(const NonbondedNumbers<T>& n)
        : beta(n.beta), beta2(n.beta * n.beta), beta3(n.beta3) {
        fit.wide = n.mesh.wide;
        if constexpr (single) {
            for (int k = 0; k < wide_terms; ++k)
                fit.top[k] = R(n.mesh.top[k]), fit.bottom[k] = R(n.mesh.bottom[k]);
            fit.middle = R(n.mesh.middle);
        }
        if constexpr (cubics_known) {
            by_cubics = n.mesh_cubics.scale > 0;
            if (by_cubics) cubics = Cubics(n.mesh_cubics.of, n.mesh_cubics.scale);
        }
    }
    AUREOLE_FN R force(R r2) const {
        if constexpr (cubics_known)
            if (by == MeshBy::cubics || by_cubics) return cubics(r2);
        if constexpr (single) {
            R p = fit.top[terms - 1], q = fit.bottom[terms - 1];
            // The last terms of other fits are zero; a GPU adds them in less time than it asks.
            if (std::is_same_v<R, float> || fit.wide)
                p = fma(fit.top[terms], r2, p), q = fma(fit.bottom[terms], r2, q);
            for (int k = terms - 2; k >= 0; --k)
                p = fma(p, r2, fit.top[k]), q = fma(q, r2, fit.bottom[k]);
            return fma(p, core::estimated_recip(q), fit.middle);
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

/// Charges of one pair (R a number) or of many (R a pack), within the cut-off.
template <Coulomb coulomb, bool with_energy, class R, MeshBy mesh_by = MeshBy::cubics_if_any>
struct Electrostatics {
    R r_coulomb2;
    R twice_field, field, coulomb_shift;
    MeshContribution<R, mesh_by> mesh;

    template <class T>
    AUREOLE_FN explicit Electrostatics(const NonbondedNumbers<T>& n)
        : r_coulomb2(n.r_coulomb2),
          twice_field(n.twice_field),
          field(n.field),
          coulomb_shift(n.coulomb_shift),
          mesh(n) {}

    struct Charges {
        R force_over_r, energy;  ///< of unit charges
    };

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
