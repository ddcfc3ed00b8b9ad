// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/box.hpp"
#include "md/pair/nonbonded_job.hpp"
#include "md/pair/potential.hpp"

namespace aureole::md {

/// Dispersion, repulsion and charges of molecules, with one cut-off for all types.
struct NonbondedSpec {
    int n_types = 0;
    std::vector<double> c6, c12;  ///< [n_types][n_types] [energy length⁶], [energy length¹²]
    VdwEnd end = VdwEnd::plain;
    bool shift_vdw = true;  ///< raised to vanish at the cut-off (plain end only)
    double r_vdw = 0;
    double r_vdw_switch = 0;
    Coulomb coulomb = Coulomb::reaction_field;
    double r_coulomb = 0;
    double coulomb_constant = 0;  ///< energy × length of two unit charges in vacuum
    double epsilon_r = 1;         ///< relative permittivity within the cut-off
    double epsilon_rf = 0;        ///< of what lies beyond; 0: conducting
    /// Reaction field: whether it acts between excluded pairs and of each charge on itself.
    bool field_of_excluded = true;
    double beta = 0;            ///< Ewald's splitting [1/length], the mesh's as well
    bool shift_coulomb = true;  ///< plain and Ewald: 1/r lowered to vanish at the cut-off

    /// Energy × length of two unit charges within the cut-off; for the mesh and for chosen pairs.
    double unit_charge_energy() const { return coulomb_constant / epsilon_r; }
    /// Whether charges have an energy with themselves that the mesh does not compute.
    bool has_self_energy() const { return coulomb == Coulomb::reaction_field && field_of_excluded; }
};

/// Numbers of a spec as the kernels read them.
template <class T>
struct NonbondedTables {
    NonbondedNumbers<T> numbers;
    std::vector<T> c6, c12, mesh_cubics;
};

/// A particle's own numbers in a kernel.
struct NonbondedOwn {
    double charge, a, b;
};

class Nonbonded {
  public:
    /// Throws core::InputError for numbers that make no sense.
    explicit Nonbonded(NonbondedSpec spec);

    const NonbondedSpec& spec() const { return spec_; }
    double r_cut() const { return spec_.r_vdw > spec_.r_coulomb ? spec_.r_vdw : spec_.r_coulomb; }
    NonbondedForm form() const;
    /// Whether there is neither dispersion nor repulsion.
    bool charges_alone() const;
    /// Numbers for kernels; the pointers in them are those of the tables beside them.
    template <class T>
    NonbondedTables<T> tables() const;
    NonbondedOwn own(int type, double charge) const;

    /// One pair within the cut-offs, 0 beyond; `excluded` pairs feel what all charges feel, if
    /// anything.
    struct Value {
        PairValue<double> vdw, coulomb;
    };
    Value evaluate(int type_i, int type_j, double charges, double r2, bool excluded) const;

  private:
    void check() const;
    void find_mixing();

    NonbondedSpec spec_;
    Mixing mixing_ = Mixing::table;
    NonbondedNumbers<double> numbers_{};
};

}  // namespace aureole::md
