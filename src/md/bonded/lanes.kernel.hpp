// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/term_view.hpp"
#include "md/neighbor/cluster_job.hpp"

// The bonded kernels of devices with many lanes: a term each, then a particle each.
namespace aureole::md {

/// Writes the forces of a term, each particle's to its own slot.
template <class P, class T>
struct TermForces {
    using device_kernel = void;
    TermView<T> terms;
    std::int64_t n;
    Vec3<T>* to;  ///< [particles of a term][n]

    AUREOLE_FN void operator()(std::int64_t i) const {
        const OneTerm<P, T> term(terms, i);
        for (int p = 0; p < particle_count<P>(); ++p) to[p * n + i] = term.on(p);
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

/// Adds the forces of its terms to each particle's force, in a fixed order.
template <class T>
struct AddTermForces {
    using device_kernel = void;
    const std::int32_t* start;  ///< [n + 1]
    const std::int32_t* index;  ///< indices into `from`, particle by particle
    const Vec3<T>* from;
    Vec3<T>* force;

    AUREOLE_FN void operator()(std::int64_t i) const {
        Vec3<T> sum = force[i];
        for (std::int32_t k = start[i]; k < start[i + 1]; ++k) sum += from[index[k]];
        force[i] = sum;
    }
};

}  // namespace aureole::md
