// SPDX-License-Identifier: Apache-2.0
#include "core/platform.hpp"
#include "md/pair/nonbonded.kernel.hpp"

namespace aureole::md::AUREOLE_ISA {

namespace {

template <class T, Coulomb coulomb, VdwEnd end, Mixing mixing, bool one_cut_off>
NonbondedKernel<T> of_variant(KernelVariant variant) {
    using enum KernelVariant;
    return variant == force ? &run_nonbonded<coulomb, end, mixing, one_cut_off, force, T>
                            : &run_nonbonded<coulomb, end, mixing, one_cut_off, force_energy, T>;
}

/// Fewer forms in double precision, which looks every pair up in the table.
template <class T>
inline constexpr bool few_forms = core::few_kernels || core::small_kernels ||
                                  sizeof(T) == sizeof(double);

template <class T, Coulomb coulomb, VdwEnd end>
NonbondedKernel<T> of_mixing(const NonbondedForm& form, KernelVariant variant) {
    using enum Mixing;
    if constexpr (few_forms<T>) {
        return of_variant<T, coulomb, end, table, false>(variant);
    } else {
        constexpr bool plain = end == VdwEnd::plain;
        const bool one = plain && form.one_cut_off;
        switch (form.mixing) {
            case geometric:
                return one ? of_variant<T, coulomb, end, geometric, plain>(variant)
                           : of_variant<T, coulomb, end, geometric, false>(variant);
            case lorentz_berthelot:
                return one ? of_variant<T, coulomb, end, lorentz_berthelot, plain>(variant)
                           : of_variant<T, coulomb, end, lorentz_berthelot, false>(variant);
            default:
                return of_variant<T, coulomb, end, table, false>(variant);
        }
    }
}

template <class T, Coulomb coulomb>
NonbondedKernel<T> of_end(const NonbondedForm& form, KernelVariant variant) {
    using enum VdwEnd;
    switch (form.end) {
        case plain:
            return of_mixing<T, coulomb, plain>(form, variant);
        case potential_switch:
            return of_mixing<T, coulomb, potential_switch>(form, variant);
        default:
            return of_mixing<T, coulomb, force_switch>(form, variant);
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
