// SPDX-License-Identifier: Apache-2.0
#include "core/platform.hpp"
#include "md/pair/nonbonded.kernel.hpp"

namespace aureole::md::AUREOLE_ISA {

namespace {

/// Fewer forms in double precision, which looks every pair up in the table.
template <class T>
inline constexpr bool few_forms = core::few_kernels || core::small_kernels ||
                                  sizeof(T) == sizeof(double);

template <class T, Coulomb coulomb, VdwEnd end, Mixing mixing>
NonbondedKernel<T> of_cut_offs(const NonbondedForm& form) {
    using enum KernelVariant;
    if constexpr (end == VdwEnd::plain)
        if (form.one_cut_off)
            return &run_nonbonded<coulomb, end, StatedRule<mixing, true>, force, T>;
    return &run_nonbonded<coulomb, end, StatedRule<mixing, false>, force, T>;
}

/// Kernels with energy run rarely: one for all rules.
template <class T, Coulomb coulomb, VdwEnd end>
NonbondedKernel<T> of_rule(const NonbondedForm& form, KernelVariant variant) {
    using enum Mixing;
    using enum KernelVariant;
    if constexpr (few_forms<T>) {
        using Rule = StatedRule<table, false>;
        return variant == force ? &run_nonbonded<coulomb, end, Rule, force, T>
                                : &run_nonbonded<coulomb, end, Rule, force_energy, T>;
    } else {
        if (variant == force_energy)
            return &run_nonbonded<coulomb, end, FoundRule, force_energy, T>;
        switch (form.mixing) {
            case geometric:
                return of_cut_offs<T, coulomb, end, geometric>(form);
            case lorentz_berthelot:
                return of_cut_offs<T, coulomb, end, lorentz_berthelot>(form);
            default:
                return &run_nonbonded<coulomb, end, StatedRule<table, false>, force, T>;
        }
    }
}

template <class T, Coulomb coulomb>
NonbondedKernel<T> of_end(const NonbondedForm& form, KernelVariant variant) {
    using enum VdwEnd;
    switch (form.end) {
        case plain:
            return of_rule<T, coulomb, plain>(form, variant);
        case potential_switch:
            return of_rule<T, coulomb, potential_switch>(form, variant);
        default:
            return of_rule<T, coulomb, force_switch>(form, variant);
    }
}

template <class T>
NonbondedKernel<T> choose(const NonbondedForm& form, KernelVariant variant) {
    return form.coulomb == Coulomb::ewald ? of_end<T, Coulomb::ewald>(form, variant)
                                          : of_end<T, Coulomb::reaction_field>(form, variant);
}

}  // namespace

NonbondedKernels nonbonded_kernels();
NonbondedKernels nonbonded_kernels() { return {&choose<float>, &choose<double>}; }

}  // namespace aureole::md::AUREOLE_ISA
