// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "device/launch.hpp"

namespace aureole::device {

/// Many parallel_for of one functor type as a single launch, in any order: each loop is computed
/// as in a launch of its own. On GPUs the .cu file says AUREOLE_DEVICE_BATCH(F) in place of
/// AUREOLE_DEVICE_FOR(F). The loops must stay as they are until the work is done.
template <std::invocable<std::int64_t> F>
void parallel_for_batch(Queue& queue, const char* name, std::span<const Loop<F>> loops) {
    std::int64_t items = 0;
    for (const Loop<F>& loop : loops) items += loop.n;
    if (items <= 0) return;
    if (queue.backend() == Backend::host) {
        detail::on_host(queue.state(), name, items, [loops](ThreadPool& pool) {
            for (const Loop<F>& loop : loops) host::for_range(pool, loop.n, loop.f);
        });
    } else if constexpr (has_gpu && DeviceKernel<F>) {
        gpu::launch_batch(queue.state(), name, loops);
    } else {
        detail::refuse(queue, name);
    }
}

}  // namespace aureole::device
