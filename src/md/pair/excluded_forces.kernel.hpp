// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/launch.hpp"
#include "md/pair/flat_nonbonded.kernel.hpp"

namespace aureole::md {

/// One lane that has all of a particle's partners.
struct Alone {
    AUREOLE_FN static int rank() { return 0; }
    AUREOLE_FN static int size() { return 1; }
};

/// The smooth part between excluded partners of n particles.
struct ExcludedJob {
    FlatNonbondedJob<float> of{};
    Coulomb coulomb = Coulomb::reaction_field;
    std::int64_t n = 0;

    /// Adds the force on a particle.
    AUREOLE_FN void add(std::int64_t i) const;
};

/// The smooth part of a reaction field or the mesh between excluded partners, for lists that leave
/// them out: forces, or a particle's half of the sums.
template <Coulomb coulomb, bool energy>
struct ExcludedForces {
    using device_kernel = void;
    FlatNonbondedJob<float> job;

    AUREOLE_FN void operator()(std::int64_t i) const {
        NonbondedPairSums sums;
        core::Vec3f force{};
        if (!job.is_void()) {
            const NonbondedLaw<coulomb, VdwEnd::plain, energy, float> law(job.numbers);
            add_excluded_partners<coulomb, energy>(Alone{}, i, job, law, force, sums);
        }
        if constexpr (energy)
            job.sums[i] = sums;
        else
            job.force.add(i, force);
    }
};

AUREOLE_FN void ExcludedJob::add(std::int64_t i) const {
    if (coulomb == Coulomb::ewald)
        ExcludedForces<Coulomb::ewald, false>{of}(i);
    else
        ExcludedForces<Coulomb::reaction_field, false>{of}(i);
}

/// Enqueues the sums of n particles.
inline void sum_excluded(device::Queue& queue, const ExcludedJob& job) {
    const auto launch = [&]<Coulomb of>() {
        device::parallel_for(queue, "excluded partners", job.n, ExcludedForces<of, true>{job.of});
    };
    if (job.coulomb == Coulomb::ewald)
        launch.template operator()<Coulomb::ewald>();
    else
        launch.template operator()<Coulomb::reaction_field>();
}

}  // namespace aureole::md
