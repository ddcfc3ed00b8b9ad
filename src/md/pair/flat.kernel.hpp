// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/flat_nonbonded.kernel.hpp"
#include "md/pair/potential.hpp"

// The pair kernel of devices with many lanes: a team's lanes stride over one particle's neighbours.
namespace aureole::md {

/// The coefficients of a pair of types for a kernel.
template <class P, class T>
struct FlatParameters {
    Coefficients<T, coefficient_count<P>> c;
    CutOff<T> cut;

    AUREOLE_FN void load(const T* tables, std::int32_t n_types, std::int32_t pair) {
        const T* at = tables + pair;
        const std::int32_t pairs = n_types * n_types;
        for (std::size_t k = 0; k < coefficient_count<P>; ++k, at += pairs) c[k] = *at;
        cut = {at[0], at[pairs], at[2 * pairs], at[3 * pairs], at[4 * pairs], at[5 * pairs]};
    }
};

/// A particle's values of the columns that a leaf reads.
template <class P, class T>
AUREOLE_FN ColumnValues<T, LeafReads<P>> flat_columns(const FlatJob<T>& job, std::int64_t i) {
    ColumnValues<T, LeafReads<P>> values;
    if constexpr (reads_columns<P>)
        for (int k = 0; k < numbers_read<P>; ++k)
            values.value[k] = job.columns[i * numbers_read<P> + k];
    return values;
}

/// Copies a column to the numbers of each particle that kernels read.
template <class T, class Element>
struct PackColumn {
    using device_kernel = void;
    const Element* from;
    T* to;  ///< [n][numbers]
    int numbers, first;

    AUREOLE_FN void operator()(std::int64_t i) const {
        put_numbers(from[i], to + i * numbers + first, 1);
    }
};

/// A potential between one particle and its neighbours. `one_type`: known when it is compiled.
template <class P, Modifier modifier, class T, bool one_type = false>
class FlatPotential {
  public:
    AUREOLE_FN FlatPotential(const FlatJob<T>& job, std::int64_t i)
        : job_(job),
          tables_(job.tables),
          n_types_(job.n_types),
          first_pair_(static_cast<std::int32_t>(job.site[i].type) * job.n_types),
          columns_(flat_columns<P>(job, i)) {
        p_.load(job.tables, job.n_types, 0);
    }
    /// Whether a neighbour is within the cut-off; the other members are for the one asked about.
    AUREOLE_FN bool acts_on(const Neighbour<T>& other) {
        if (!one_type && n_types_ > 1)
            p_.load(tables_, n_types_, first_pair_ + static_cast<std::int32_t>(other.site.type));
        return other.r2 < p_.cut.r_cut2;
    }
    AUREOLE_FN T force_over_r(const Neighbour<T>& other) const {
        return evaluate_force<P, modifier, T>(pair(other), p_.c, p_.cut);
    }
    AUREOLE_FN auto energy_and_force(const Neighbour<T>& other) const {
        return evaluate<P, modifier, T>(pair(other), p_.c, p_.cut);
    }

  private:
    AUREOLE_FN auto pair(const Neighbour<T>& other) const {
        return pair_of<P, T>(other.d, other.r2, columns_, flat_columns<P>(job_, other.index));
    }

    const FlatJob<T>& job_;
    const T* tables_;
    std::int32_t n_types_, first_pair_;
    ColumnValues<T, LeafReads<P>> columns_;
    FlatParameters<P, T> p_;
};

/// Forces of one potential, or its sums.
template <class P, Modifier modifier, class T, bool energy, bool one_type = false>
struct FlatForce {
    using device_kernel = void;
    static constexpr int blocks_on_processor = !energy && sizeof(T) == 4 ? 8 : 1;
    FlatJob<T> job;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t i) const {
        if (job.is_void()) return;
        FlatPotential<P, modifier, T, one_type> potential(job, i);
        if constexpr (energy) {
            PairSums sums;
            each_neighbour<T>(team, i, job, [&](const Neighbour<T>& other) {
                if (!potential.acts_on(other)) return;
                const auto value = potential.energy_and_force(other);
                add_half(sums, value.energy, value.force_over_r, other.d);
            });
            sums = team.reduce_sum(sums);
            if (team.rank() == 0) job.sums[i] = sums;
        } else {
            core::Vec3<T> force{};
            each_neighbour<T>(team, i, job, [&](const Neighbour<T>& other) {
                if (potential.acts_on(other)) force += potential.force_over_r(other) * other.d;
            });
            add_force(team, i, job, force);
        }
    }
};

/// One potential's part of a pass for several.
template <class P, Modifier modifier, class T>
void add_forces_of(const FlatJob<T>& job, std::int64_t i, const Neighbour<T>* near, int count,
                   core::Vec3<T>& force) {
    FlatPotential<P, modifier, T> potential(job, i);
    for (int k = 0; k < count; ++k)
        if (potential.acts_on(near[k])) force += potential.force_over_r(near[k]) * near[k].d;
}

/// Forces of one potential and of charges.
template <class P, Modifier modifier, Coulomb coulomb, class T>
struct ChargedFlatForce {
    using device_kernel = void;
    FlatJob<T> job;
    FlatNonbondedJob<T> charges;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t i) const {
        if (job.is_void()) return;
        const Electrostatics<coulomb, false, T> law(charges.numbers);
        const T charge_i = charges.own[i].charge;
        FlatPotential<P, modifier, T> potential(job, i);
        core::Vec3<T> force{};
        each_neighbour<T>(team, i, job, [&](const Neighbour<T>& other) {
            const bool acts = potential.acts_on(other), charged = other.r2 < law.r_coulomb2;
            if (!acts && !charged) return;
            T f(0);
            if (acts) f = potential.force_over_r(other);
            if (charged) {
                const T inv_r = core::rsqrt(other.r2);
                f += charge_i * charges.own[other.index].charge *
                     law.charges(other.r2, inv_r, inv_r * inv_r, T(1)).force_over_r;
            }
            force += f * other.d;
        });
        NonbondedPairSums none;
        add_excluded_partners<coulomb, false>(team, i, charges, law, force, none);
        add_force(team, i, job, force);
    }
};

}  // namespace aureole::md
