// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/nonbonded_job.hpp"

namespace aureole::md {

/// Where dispersion and repulsion of a pair come from, and whether they end where charges do: known
/// to the compiler.
template <Mixing of_pairs, bool one = false>
struct StatedRule {
    using device_kernel = void;
    static constexpr Mixing mixing = of_pairs;
    static constexpr bool one_cut_off = one;

    template <class T>
    AUREOLE_FN explicit StatedRule(const NonbondedNumbers<T>&) {}
};

/// Rule according to the numbers, in kernels that run rarely: one compiled kernel serves all rules,
/// and rounds as that of the stated rule does.
struct FoundRule {
    using device_kernel = FoundRule;  ///< of no device: it is for hosts
    const Mixing mixing;
    const bool one_cut_off;

    template <class T>
    AUREOLE_FN explicit FoundRule(const NonbondedNumbers<T>& n)
        : mixing(n.mixing), one_cut_off(n.one_cut_off) {}
};

}  // namespace aureole::md
