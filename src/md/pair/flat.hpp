// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform.hpp"
#include "device/launch.hpp"
#include "md/pair/flat.kernel.hpp"
#include "md/pair/tile_pairs.kernel.hpp"

namespace aureole::md {

template <class P, Modifier modifier, class T, bool energy>
void launch_flat(device::Queue& queue, int lanes, std::int64_t n, const FlatJob<T>& job) {
    const device::TeamPolicy teams{n, lanes, 0};
    if constexpr (device::has_gpu && !energy && sizeof(T) == sizeof(float))
        if (job.n_types == 1 && queue.backend() != device::Backend::host)
            return device::team_for(queue, "pair force", teams,
                                    FlatForce<P, modifier, T, energy, true>{job});
    device::team_for(queue, "pair force", teams, FlatForce<P, modifier, T, energy>{job});
}

template <class P, Modifier modifier, Coulomb coulomb, class T>
void launch_charged_lanes(device::Queue& queue, int lanes, std::int64_t n, const FlatJob<T>& job,
                          const FlatNonbondedJob<T>& charges) {
    device::team_for(queue, "pair force", device::TeamPolicy{n, lanes, 0},
                     ChargedFlatForce<P, modifier, coulomb, T>{job, charges});
}

/// Tiles by teams of 32 lanes, on GPUs.
template <class Pairs>
void launch_team_tiles(device::Queue& queue, const typename Pairs::Job& job) {
    device::team_for(queue, "tiles", device::TeamPolicy{job.warps(), 32, 0},
                     TilesOfTeam<Pairs>{job});
}

template <class P, Modifier modifier, class T>
constexpr void fill_lane_kernels(FlatKernelTable<T>& table) {
    constexpr auto m = static_cast<int>(modifier);
    table.kernel[m][0] = &launch_flat<P, modifier, T, false>;
    table.kernel[m][1] = &launch_flat<P, modifier, T, true>;
    table.pass[m] = &add_forces_of<P, modifier, T>;
    if constexpr (device::has_gpu && sizeof(T) == sizeof(float)) {
        table.tiles[m][0] = &launch_team_tiles<PotentialPairs<P, modifier, false, TeamLanes>>;
        table.tiles[m][1] = &launch_team_tiles<PotentialPairs<P, modifier, true, TeamLanes>>;
    }
    if constexpr (!core::few_kernels && modifier == Modifier::none) {
        table.charged[m][0] = &launch_charged_lanes<P, modifier, Coulomb::reaction_field, T>;
        table.charged[m][1] = &launch_charged_lanes<P, modifier, Coulomb::ewald, T>;
    }
}

template <class P, class T>
constexpr FlatKernelTable<T> flat_kernel_table() {
    FlatKernelTable<T> table{};
    fill_lane_kernels<P, Modifier::none>(table);
    fill_lane_kernels<P, Modifier::xplor>(table);
    fill_lane_kernels<P, Modifier::force_shift>(table);
    return table;
}

/// The flat-list kernels of one potential, as the generated unit of its leaf file registers them.
template <class P>
FlatKernels flat_kernels() {
    static constexpr auto mixed = flat_kernel_table<P, float>();
    static constexpr auto full = flat_kernel_table<P, double>();
    return {&mixed, &full};
}

}  // namespace aureole::md
