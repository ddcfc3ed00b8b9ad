// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/cluster_job.hpp"
#include "md/pair/ewald_split.hpp"
#include "md/pair/switches.hpp"

namespace aureole::md {

/// How charges interact within the cut-off. A plain Coulomb force is a reaction field without its
/// quadratic term.
enum class Coulomb { reaction_field, ewald };
inline constexpr int coulomb_count = 2;

/// How dispersion and repulsion end: as they are or raised by a constant, by a switched potential,
/// or by a switched force.
enum class VdwEnd { plain, potential_switch, force_switch };

/// Where a pair's dispersion and repulsion come from: products of the particles' own numbers,
/// Lorentz-Berthelot, or a table of pairs of types.
enum class Mixing { geometric, lorentz_berthelot, table };

/// The fit of MeshForce in single precision, with powers of β in its coefficients.
template <class T>
struct MeshFit {
    static constexpr int terms = split_fit::force_single.top + 1;
    static constexpr int wide_terms = split_fit::wide_force_single.top + 1;
    static_assert(wide_terms == terms + 1);
    T top[wide_terms], bottom[wide_terms], middle;  ///< the last terms are those of wide fits
    bool wide;  ///< the cut-off lies beyond the usual fits; in every precision
};

/// The mesh's force within the cut-off as core::Cubics of r².
template <class T>
struct MeshCubics {
    static constexpr int terms = 4, intervals = 32;
    const T* of;  ///< [terms][intervals]
    T scale;      ///< intervals per r²; 0 where cubics would err by too much
};

/// Constants of all pairs. Coefficients carry the factors of the forces: c6 stands for 6 C₆ and c12
/// for 12 C₁₂; charges the root of Coulomb's constant.
template <class T>
struct NonbondedNumbers {
    T r_coulomb2, r_vdw2;
    T twice_field, field;  ///< reaction field: 2 k and k of k r²
    T coulomb_shift;       ///< taken off 1/r
    TileBits smooth;       ///< of excluded pairs those that feel the smooth part: all or none
    T beta, beta3;         ///< Ewald's splitting and its cube
    MeshFit<T> mesh;
    MeshCubics<T> mesh_cubics;
    T dispersion_shift, repulsion_shift;  ///< taken off r⁻⁶/6 and r⁻¹²/12
    PotentialSwitch<T> potential_switch;  ///< of force switches the start alone is used
    SwitchedPower<T> dispersion, repulsion;
    std::int32_t n_types;
    const T *c6, *c12;  ///< [n_types²], read where pairs follow no rule
    Mixing mixing;      ///< that rule, for kernels which serve all
    bool one_cut_off;   ///< whether those kernels round as with one cut-off for everything
};

/// Energies and virials of dispersion with repulsion, and of charges.
struct NonbondedTotal {
    EnergyVirial vdw, coulomb;

    NonbondedTotal& operator+=(const NonbondedTotal& o) {
        vdw += o.vdw, coulomb += o.coulomb;
        return *this;
    }
};

/// Forces on the i sides of entries, by their lattice shift s: with positions r and all forces F
/// the virial is Σ r ⊗ F + Σ s ⊗ (force of s), and no pair need be looked at for it.
struct ShiftForces {
    core::Vec3d of[shift_count]{};

    ShiftForces& operator+=(const ShiftForces& o) {
        for (int s = 0; s < shift_count; ++s) of[s] += o.of[s];
        return *this;
    }
};

/// One partition of the non-bonded forces over clusters.
template <class T>
struct NonbondedJob : ClusterWork<T> {
    const T* own;  ///< blocks q₄ a₄ b₄: charges and the particles' numbers for mixing
    const NonbondedNumbers<T>* numbers;
    NonbondedTotal total{};              ///< out, kernels with energy
    ShiftForces* shift_forces{nullptr};  ///< out, where wanted
};

/// One partition of the forces of one potential and of charges, in one kernel.
template <class T>
struct ChargedJob : ClusterJob<T> {
    const T* own;  ///< as above; the charges are read
    const NonbondedNumbers<T>* numbers;
    EnergyVirial coulomb{};  ///< out, kernels with energy
};

template <class T>
using NonbondedKernel = void (*)(NonbondedJob<T>&);

/// Template parameters of the kernels.
struct NonbondedForm {
    Coulomb coulomb;
    VdwEnd end;
    Mixing mixing;
    bool one_cut_off;  ///< for charges, dispersion and repulsion alike
};

/// The kernels of one instruction set.
struct NonbondedKernels {
    NonbondedKernel<float> (*mixed)(const NonbondedForm&, KernelVariant);
    NonbondedKernel<double> (*full)(const NonbondedForm&, KernelVariant);

    template <class T>
    NonbondedKernel<T> of(const NonbondedForm& form, KernelVariant variant) const {
        if constexpr (sizeof(T) == sizeof(float))
            return mixed(form, variant);
        else
            return full(form, variant);
    }
};

/// The kernels of the instruction set in use.
NonbondedKernels nonbonded_kernels();

}  // namespace aureole::md
