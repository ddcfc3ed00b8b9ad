// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "device/launch.hpp"
#include "md/integrate/motion_counts.kernel.hpp"

namespace aureole::md {

/// Counts all particles.
template <class KernelLayout>
void count_motion(device::Queue& queue, std::int64_t n, const CountMotion<KernelLayout>& count) {
    if constexpr (!std::is_same_v<typename KernelLayout::device_kernel, std::false_type>)
        device::parallel_for(queue, "count motion", n, count);
    else
        device::host_task(queue, "count motion", [count, n](device::ThreadPool& pool) {
            pool.run([&](int rank) {
                MotionCounts own;
                const auto part = device::part_of(n, rank, pool.size(), 1);
                int of_class, level;
                for (auto i = part.begin; i < part.end; ++i)
                    if (count.went_far(i, of_class, level)) ++own.at[of_class][level];
                for (int c = 0; c < motion_classes; ++c)
                    for (int k = 1; k < n_motion_levels; ++k)
                        if (own.at[c][k] != 0)
                            core::atomic_add(&count.counts->at[c][k], own.at[c][k]);
            });
        });
}

}  // namespace aureole::md
