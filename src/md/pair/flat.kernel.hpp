// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/team.hpp"
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

template <class P, Modifier modifier, class T, bool energy>
struct FlatForce {
    using device_kernel = void;
    FlatJob<T> job;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t i) const {
        const Images<T> images = job.images();
        const Site<T> self = job.site[i];
        const std::int32_t* row = job.list.neighbour + i * job.list.stride;
        const std::int32_t count = job.list.count[i];
        const auto columns = flat_columns<P>(job, i);
        FlatParameters<P, T> p;
        p.load(job.tables, job.n_types, 0);
        core::Vec3<T> force{};
        PairSums sums;
        for (std::int32_t k = team.rank(); k < count; k += team.size()) {
            const Site<T> other = job.site[row[k]];
            const auto d = images.separation(self, other);
            const T r2 = dot(d, d);
            if (job.n_types > 1)
                p.load(job.tables, job.n_types,
                       static_cast<std::int32_t>(self.type * job.n_types + other.type));
            if (!(r2 < p.cut.r_cut2)) continue;
            const auto pair = pair_of<P, T>(d, r2, columns, flat_columns<P>(job, row[k]));
            if constexpr (energy) {
                const auto value = evaluate<P, modifier, T>(pair, p.c, p.cut);
                sums.energy += 0.5 * double(value.energy);
                sums.virial += core::outer(0.5 * double(value.force_over_r),
                                           core::Vec3d{double(d.x), double(d.y), double(d.z)});
            } else {
                force += evaluate_force<P, modifier, T>(pair, p.c, p.cut) * d;
            }
        }
        if constexpr (energy) {
            sums = team.reduce_sum(sums);
            if (team.rank() == 0) job.sums[i] = sums;
        } else {
            force = team.reduce_sum(force);
            if (team.rank() == 0) job.force[i] = job.add ? job.force[i] + force : force;
        }
    }
};

/// Forces of one potential and of charges.
template <class P, Modifier modifier, Coulomb coulomb, class T>
struct ChargedFlatForce {
    using device_kernel = void;
    FlatJob<T> job;
    FlatNonbondedJob<T> charges;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t i) const {
        const Electrostatics<coulomb, false, T> law(charges.numbers);
        const Images<T> images = job.images();
        const Site<T> self = job.site[i];
        const T charge_i = charges.own[i].charge;
        const std::int32_t* row = job.list.neighbour + i * job.list.stride;
        const std::int32_t count = job.list.count[i];
        const auto columns = flat_columns<P>(job, i);
        FlatParameters<P, T> p;
        p.load(job.tables, job.n_types, 0);
        core::Vec3<T> force{};
        for (std::int32_t k = team.rank(); k < count; k += team.size()) {
            const Site<T> other = job.site[row[k]];
            const auto d = images.separation(self, other);
            const T r2 = dot(d, d);
            if (job.n_types > 1)
                p.load(job.tables, job.n_types,
                       static_cast<std::int32_t>(self.type * job.n_types + other.type));
            T f(0);
            if (r2 < p.cut.r_cut2)
                f = evaluate_force<P, modifier, T>(
                    pair_of<P, T>(d, r2, columns, flat_columns<P>(job, row[k])), p.c, p.cut);
            if (r2 < law.r_coulomb2) {
                const T inv_r = core::rsqrt(r2);
                f += charge_i * charges.own[row[k]].charge *
                     law.charges(r2, inv_r, inv_r * inv_r, T(1)).force_over_r;
            }
            force += f * d;
        }
        NonbondedPairSums none;
        add_excluded_partners<coulomb, false>(team, i, charges, law, force, none);
        force = team.reduce_sum(force);
        if (team.rank() == 0) job.force[i] = job.add ? job.force[i] + force : force;
    }
};

}  // namespace aureole::md
