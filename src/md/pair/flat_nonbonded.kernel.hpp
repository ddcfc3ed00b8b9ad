// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/nearest_image.hpp"
#include "md/pair/flat_neighbours.kernel.hpp"
#include "md/pair/nonbonded_pair.hpp"

// Dispersion, repulsion and charges of molecules by teams of lanes, one particle's neighbours to a
// team. Excluded partners are not in the list; only the smooth part of a reaction field or the mesh
// acts between them.
namespace aureole::md {

/// A particle's numbers beside its site: one load of 16 bytes in mixed precision.
template <class T>
struct alignas(4 * sizeof(T)) OwnNumbers {
    T charge{}, a{}, b{}, none{};
};

/// A particle's part of the potential.
struct NonbondedPairSums {
    PairSums vdw, coulomb;

    AUREOLE_FN friend NonbondedPairSums operator+(const NonbondedPairSums& a,
                                                  const NonbondedPairSums& b) {
        return {a.vdw + b.vdw, a.coulomb + b.coulomb};
    }
};

struct ReadNonbondedSums {
    using device_kernel = void;
    const NonbondedPairSums* from;

    AUREOLE_FN NonbondedPairSums operator()(std::int64_t i) const { return from[i]; }
};

/// Writes the totals of dispersion with repulsion, and of charges.
struct TakeNonbondedSums {
    using device_kernel = void;
    const NonbondedPairSums* from;
    double self_energy;
    EnergyVirial* to;  ///< [2]

    AUREOLE_FN void operator()(std::int64_t) const {
        to[0] = {from->vdw.energy, from->vdw.virial};
        to[1] = {from->coulomb.energy + self_energy, from->coulomb.virial};
    }
};

template <class T>
struct FlatNonbondedJob {
    const Site<T>* site;
    const OwnNumbers<T>* own;
    FlatList list;
    ExcludedPartners smooth;  ///< partners with the smooth part of the charges only
    OfBox<Images<T>> images;
    const std::int64_t* expired_at;  ///< as in FlatJob
    NonbondedNumbers<T> numbers;     ///< tables in device memory
    FixedForces force;               ///< of kernels without energy
    NonbondedPairSums* sums;         ///< [n], of kernels with it

    AUREOLE_FN bool is_void() const { return has_expired(expired_at); }
};

/// Force of the mesh on an excluded pair beyond the cut-off, by its nearest image.
template <bool energy, class T>
AUREOLE_FN core::Vec3<T> far_excluded_force(const FlatNonbondedJob<T>& job, const Site<T>& i,
                                            const Site<T>& j, T qq, NonbondedPairSums& sums) {
    const core::Vec3d apart{double(i.x) - double(j.x), double(i.y) - double(j.y),
                            double(i.z) - double(j.z)};
    const auto nearest = core::nearest_image(job.images().box, apart);
    const double beta = double(job.numbers.beta);
    const EwaldFar mesh(beta * beta * dot(nearest, nearest));
    const core::Vec3<T> d{T(nearest.x), T(nearest.y), T(nearest.z)};
    const T f = T(-double(qq) * beta * beta * beta * mesh.force);
    if constexpr (energy) add_half(sums.coulomb, T(-double(qq) * beta * mesh.energy), f, d);
    return f * d;
}

/// Adds the forces of a particle's excluded partners, on which reaction field or mesh act too; by
/// the lanes of a team.
template <Coulomb coulomb, bool energy, class Team, class T, class Law>
AUREOLE_FN void add_excluded_partners(const Team& team, std::int64_t i,
                                      const FlatNonbondedJob<T>& job, const Law& law,
                                      core::Vec3<T>& force, NonbondedPairSums& sums) {
    if (!job.smooth.any()) return;
    const auto& of = job.smooth;
    const Images<T> images = job.images();
    const Site<T> self = job.site[i];
    const T charge_i = job.own[i].charge;
    const std::int32_t last = of.start[i + 1];
    for (std::int32_t k = of.start[i] + team.rank(); k < last; k += team.size()) {
        const std::int32_t j = of.partner[k];
        if (j == no_index) continue;
        const auto d = images.separation(self, job.site[j]);
        const T apart2 = dot(d, d), r2 = apart2 > T(1e-12) ? apart2 : T(1e-12);
        const T qq = charge_i * job.own[j].charge;
        if (!(r2 < law.r_coulomb2)) {
            if constexpr (coulomb == Coulomb::ewald)
                force += far_excluded_force<energy>(job, self, job.site[j], qq, sums);
            continue;
        }
        const auto charge = law.charges(r2, T(0), T(1) / r2, T(0));
        force += (qq * charge.force_over_r) * d;
        if constexpr (energy)
            add_half(sums.coulomb, qq * charge.energy, qq * charge.force_over_r, d);
    }
}

template <Coulomb coulomb, VdwEnd end, class Rule, bool energy, class T>
struct FlatNonbondedForce {
    using device_kernel = typename Rule::device_kernel;
    static constexpr int blocks_on_processor = !energy && sizeof(T) == 4 ? 6 : 1;
    FlatNonbondedJob<T> job;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t i) const {
        if (job.is_void()) return;
        const NonbondedLaw<coulomb, end, energy, T> law(job.numbers);
        const Site<T> self = job.site[i];
        const OwnNumbers<T> own = job.own[i];
        core::Vec3<T> force{};
        NonbondedPairSums sums;
        each_neighbour<T>(team, i, job, [&](const Neighbour<T>& other) {
            const T r2 = other.r2;
            if (!(r2 < law.r_coulomb2 || r2 < law.r_vdw2)) return;
            const OwnNumbers<T> its = job.own[other.index];
            const auto pair = nonbonded_pair<energy>(
                law, false,
                PairsAtDistance{r2, r2 < law.r_vdw2, r2 < law.r_coulomb2, own.charge * its.charge},
                NoneExcluded(), [&](T inv_r, T inv_r2) {
                    return vdw(law, r2, inv_r, inv_r2, self, other.site, own, its);
                });
            if constexpr (energy) {
                add_half(sums.vdw, pair.energy_of_vdw, pair.of_vdw, other.d);
                add_half(sums.coulomb, pair.energy_of_charge, pair.of_charge, other.d);
            }
            force += pair.force * other.d;
        });
        add_excluded_partners<coulomb, energy>(team, i, job, law, force, sums);
        if constexpr (energy) {
            sums.vdw = team.reduce_sum(sums.vdw), sums.coulomb = team.reduce_sum(sums.coulomb);
            if (team.rank() == 0) job.sums[i] = sums;
        } else {
            add_force(team, i, job, force);
        }
    }

  private:
    AUREOLE_FN auto vdw(const NonbondedLaw<coulomb, end, energy, T>& law, T r2, T inv_r, T inv_r2,
                        const Site<T>& i, const Site<T>& j, const OwnNumbers<T>& of_i,
                        const OwnNumbers<T>& of_j) const {
        const Rule rule(job.numbers);
        if (rule.mixing == Mixing::table) {
            const auto pair = i.type * job.numbers.n_types + j.type;
            return law.vdw(r2, inv_r, inv_r2,
                           PowerCoefficients<T>{job.numbers.c6[pair], job.numbers.c12[pair]});
        }
        if (rule.mixing == Mixing::geometric)
            return law.vdw(r2, inv_r, inv_r2,
                           mix<Mixing::geometric>(of_i.a, of_i.b, of_j.a, of_j.b));
        return law.vdw(r2, inv_r, inv_r2,
                       mix<Mixing::lorentz_berthelot>(of_i.a, of_i.b, of_j.a, of_j.b));
    }
};

/// Each particle's numbers from those of its type.
template <class T>
struct SetOwnNumbers {
    using device_kernel = void;
    const double* charge;  ///< null: none has any
    const std::int32_t* type;
    const OwnNumbers<T>* of_type;  ///< of a unit charge
    double charge_unit;
    OwnNumbers<T>* own;

    AUREOLE_FN void operator()(std::int64_t i) const {
        own[i] = of_type[type[i]];
        own[i].charge = static_cast<T>(charge != nullptr ? charge[i] * charge_unit : 0.0);
    }
};

/// Σ q², as rounded.
template <class T>
struct SquareOfCharge {
    using device_kernel = void;
    const OwnNumbers<T>* own;

    AUREOLE_FN double operator()(std::int64_t i) const {
        return double(own[i].charge) * double(own[i].charge);
    }
};

}  // namespace aureole::md
