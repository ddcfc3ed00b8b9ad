// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "md/pair/flat_neighbours.kernel.hpp"

namespace aureole::md {

/// Several potentials in one pass over a flat list, on hosts: a particle's neighbours are found
/// once, and each potential takes them from the cache, with its own cut-offs. The forces are added
/// in the order of the potentials, with the bits of one kernel each.
template <class T>
struct FlatPotentials {
    static constexpr std::size_t most = 4;

    std::array<FlatPass<T>, most> pass{};
    std::array<FlatJob<T>, most> job{};
    std::size_t count = 0;
    T r_cut2 = 0;  ///< the largest

    void add(FlatPass<T> kernel, const FlatJob<T>& of, double r_cut) {
        pass[count] = kernel, job[count++] = of;
        r_cut2 = std::max(r_cut2, static_cast<T>(r_cut * r_cut * (1 + 1e-6)));
    }
    void operator()(device::Team& team, std::int64_t i) const {
        if (job[0].is_void()) return;
        std::array<core::Vec3<T>, most> force{};
        std::array<Neighbour<T>, 128> near;
        std::size_t n = 0;
        const auto take_found = [&] {
            for (std::size_t k = 0; k < count; ++k)
                pass[k](job[k], i, near.data(), static_cast<int>(n), force[k]);
            n = 0;
        };
        each_neighbour<T>(team, i, job[0], [&](const Neighbour<T>& other) {
            if (!(other.r2 < r_cut2)) return;
            near[n++] = other;
            if (n == near.size()) take_found();
        });
        take_found();
        for (std::size_t k = 0; k < count; ++k) add_force(team, i, job[k], force[k]);
    }
};

}  // namespace aureole::md
