// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/term_view.hpp"
#include "md/neighbor/cluster_job.hpp"
#include "md/particles/fixed_forces.hpp"

// The bonded kernels of devices with many lanes: a term each.
namespace aureole::md {

/// Adds the forces of a term.
template <class P, class T>
struct TermForces {
    using device_kernel = void;
    TermView<T> terms;
    FixedForces force;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const OneTerm<P, T> term(terms, i);
        for (int p = 0; p < particle_count<P>(); ++p)
            force.add(terms.particle[p * terms.stride + i], term.on(p));
    }
};

template <class P, class T>
struct SumTerms {
    using device_kernel = void;
    TermView<T> terms;

    AUREOLE_FN EnergyVirial operator()(std::int64_t i) const {
        const OneTerm<P, T> term(terms, i);
        return {double(term.energy), term.virial(terms, i)};
    }
};

}  // namespace aureole::md
