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

/// Enqueues it for n particles; sums where the job has room for them.
inline void add_excluded(device::Queue& queue, Coulomb coulomb, std::int64_t n,
                         const FlatNonbondedJob<float>& job) {
    const auto launch = [&]<Coulomb of>() {
        if (job.sums != nullptr)
            device::parallel_for(queue, "excluded partners", n, ExcludedForces<of, true>{job});
        else
            device::parallel_for(queue, "excluded partners", n, ExcludedForces<of, false>{job});
    };
    if (coulomb == Coulomb::ewald)
        launch.template operator()<Coulomb::ewald>();
    else
        launch.template operator()<Coulomb::reaction_field>();
}

}  // namespace aureole::md
