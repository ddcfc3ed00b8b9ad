// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/launch.hpp"
#include "md/pair/lanes.kernel.hpp"

namespace aureole::md {

template <class P, Modifier modifier, class T, bool energy>
void launch_lanes(device::Queue& queue, int lanes, std::int64_t n, const LaneJob<T>& job) {
    device::team_for(queue, "pair force", device::TeamPolicy{n, lanes, 0},
                     LaneForce<P, modifier, T, energy>{job});
}

template <class P, class T>
constexpr LaneKernelTable<T> lane_kernel_table() {
    using enum Modifier;
    return {{{&launch_lanes<P, none, T, false>, &launch_lanes<P, none, T, true>},
             {&launch_lanes<P, xplor, T, false>, &launch_lanes<P, xplor, T, true>},
             {&launch_lanes<P, force_shift, T, false>, &launch_lanes<P, force_shift, T, true>}}};
}

/// The lane kernels of one potential, as the generated unit of its leaf file registers them.
template <class P>
LaneKernels lane_kernels() {
    static constexpr auto mixed = lane_kernel_table<P, float>();
    static constexpr auto full = lane_kernel_table<P, double>();
    return {&mixed, &full};
}

}  // namespace aureole::md
