// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/term_view.hpp"
#include "md/neighbor/cluster_job.hpp"
#include "md/particles/fixed_forces.hpp"

// The bonded kernels of devices with many lanes: a term each.
namespace aureole::md {

/// The terms of one kind in a launch of all.
template <class T>
struct TermList {
    int kind;  ///< number in the registry
    std::int32_t rows;
    std::int64_t n, stride;
    const std::int32_t *particle, *row;
    const T* coefficients;
    const double* exact;
};

/// The forces of all terms, a lane each; each kind begins with a new warp.
template <class T>
struct TermJob {
    static constexpr int most_lists = 32;

    const core::Vec3d* position;
    OfBox<ShortestImage> image;
    TermTables<T> tables;
    Anchoring anchors;
    FixedForces force;
    TermList<T> list[most_lists];
    std::int64_t end[most_lists];  ///< of each list's lanes
    int lists = 0;

    std::int64_t lanes() const { return lists > 0 ? end[lists - 1] : 0; }
    AUREOLE_FN TermView<T> view(const TermList<T>& of) const {
        return {position,        image,    of.particle, of.row, of.stride,
                of.coefficients, of.exact, of.rows,     tables, anchors};
    }
};

/// Adds the forces. `Kinds` has call(kind, f), which calls f's operator with the leaf of that
/// number in the registry.
template <class T, class Kinds>
struct TermForces {
    using device_kernel = void;
    TermJob<T> job;

    AUREOLE_FN void operator()(std::int64_t lane) const {
        int k = 0;
        while (lane >= job.end[k]) ++k;
        if (k > 0) lane -= job.end[k - 1];
        if (lane < job.list[k].n) Kinds::call(job.list[k].kind, AddTerm{job, job.list[k], lane});
    }

  private:
    struct AddTerm {
        const TermJob<T>& job;
        const TermList<T>& list;
        std::int64_t i;

        template <class P>
        AUREOLE_FN void operator()() const {
            const OneTerm<P, T> term(job.view(list), i);
            for (int p = 0; p < particle_count<P>(); ++p)
                job.force.add(list.particle[p * list.stride + i], term.on(p));
        }
    };
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
