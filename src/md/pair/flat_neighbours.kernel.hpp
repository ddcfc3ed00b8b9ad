// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/team.hpp"
#include "md/pair/flat_job.hpp"

// What all pair kernels on flat lists do: the lanes of a team stride over one particle's
// neighbours, and their sums become the particle's.
namespace aureole::md {

/// A neighbour of a particle, as seen from there. The distance of fillers is not a number.
template <class T>
struct Neighbour {
    std::int64_t index;
    Site<T> site;
    core::Vec3<T> d;  ///< from its nearest image to the particle
    T r2;
};

/// Calls `visit` with each neighbour of a particle that is this lane's, and with fillers. A lane
/// takes four at a time, whose coordinates are on their way together.
template <class T, class Job, class Visit>
AUREOLE_FN void each_neighbour(const device::Team& team, std::int64_t i, const Job& job,
                               const Visit& visit) {
    constexpr int four = FlatList::padding;
    struct alignas(four * sizeof(std::int32_t)) Indices {
        std::int32_t of[four];
    };
    const Images<T> images = job.images();
    const Site<T> self = job.site[i];
    const auto* const row =
        reinterpret_cast<const Indices*>(job.list.neighbour + i * job.list.stride);
    const std::int32_t parts = (job.list.count[i] + four - 1) / four;
    for (std::int32_t k = team.rank(); k < parts; k += team.size()) {
        const Indices j = row[k];
        Site<T> other[four];
        AUREOLE_UNROLL for (int u = 0; u < four; ++u) other[u] = job.site[j.of[u]];
        AUREOLE_UNROLL for (int u = 0; u < four; ++u) {
            const auto d = images.separation(self, other[u]);
            visit(Neighbour<T>{j.of[u], other[u], d, dot(d, d)});
        }
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
