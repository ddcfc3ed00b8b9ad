// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/team.hpp"
#include "md/pair/flat_job.hpp"

// What all pair kernels on flat lists do: the lanes of a team stride over one particle's
// neighbours, and their sums become the particle's.
namespace aureole::md {

/// A neighbour of a particle, as seen from there.
template <class T>
struct Neighbour {
    std::int64_t index;
    Site<T> site;
    core::Vec3<T> d;  ///< from its nearest image to the particle
    T r2;
};

/// Calls `visit` with each neighbour of a particle that is this lane's.
template <class T, class Job, class Visit>
AUREOLE_FN void each_neighbour(const device::Team& team, std::int64_t i, const Job& job,
                               const Visit& visit) {
    const Images<T> images = job.images();
    const Site<T> self = job.site[i];
    const Site<T>* const site = job.site;
    const int step = team.size();
    const std::int32_t* at = job.list.neighbour + i * job.list.stride + team.rank();
    const std::int32_t* const end = at - team.rank() + job.list.count[i];
    if (at >= end) return;
    // The next neighbour is on its way while this one is worked on.
    std::int32_t j = *at;
    Site<T> other = site[j];
    for (;;) {
        at += step;
        const bool more = at < end;
        const std::int32_t next = more ? *at : j;
        const Site<T> ahead = site[next];
        const auto d = images.separation(self, other);
        visit(Neighbour<T>{j, other, d, dot(d, d)});
        if (!more) return;
        j = next, other = ahead;
    }
}

/// A particle's half of a pair's energy and virial.
template <class T>
AUREOLE_FN void add_half(PairSums& to, T energy, T force_over_r, const core::Vec3<T>& d) {
    to.energy += 0.5 * double(energy);
    to.virial +=
        core::outer(0.5 * double(force_over_r), core::Vec3d{double(d.x), double(d.y), double(d.z)});
}

/// Adds the sum of the lanes' forces to the particle's.
template <class T, class Job>
AUREOLE_FN void add_force(const device::Team& team, std::int64_t i, const Job& job,
                          core::Vec3<T> force) {
    force = team.reduce_sum(force);
    if (team.rank() == 0) job.force.add(i, force);
}

}  // namespace aureole::md
