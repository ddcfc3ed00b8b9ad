// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <utility>

#include "device/after_all.hpp"
#include "device/config.hpp"
#include "device/gpu/launch.hpp"
#include "device/host/loops.hpp"
#include "device/host/teams.hpp"
#include "device/queue.hpp"
#include "device/team.hpp"
#include "device/view.hpp"
#include "device/wide_team.hpp"

namespace aureole::device {

/// A functor that GPU backends have too: it says `using device_kernel = void;` and a .cu file of
/// its folder instantiates it (docs/howto/add-a-kernel.md). Other functors, lambdas among them and
/// those where that is another type, run on the host and are refused by name elsewhere.
template <class F>
concept DeviceKernel = std::is_void_v<typename F::device_kernel>;

namespace detail {

/// Throws core::DeviceError: the kernel has no version for the queue's backend.
[[noreturn]] void refuse(const Queue& queue, const char* kernel);

/// Adds to a count that no other thread writes meanwhile: cheaper than a locked addition.
inline void add_alone(std::atomic<std::int64_t>& count, std::int64_t n) {
    count.store(count.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

template <class Work>
void on_host(QueueState& queue, const char* name, std::int64_t items, Work&& work) {
    if (queue.immediate) {
        const std::lock_guard lock(queue.order);
        add_alone(queue.counted.launches, 1);
        add_alone(queue.counted.items, items);
        work(*queue.workers);
    } else {
        queue.count_launch(items);
        queue.submit(name, Task(std::forward<Work>(work)));
    }
}

}  // namespace detail

/// f(i) for every i in [0, n), in any order; f is const and writes to distinct places. See
/// HasAfterAll for what it may do then.
template <std::invocable<std::int64_t> F>
void parallel_for(Queue& queue, const char* name, std::int64_t n, F f) {
    if (n <= 0) return;
    if (queue.backend() == Backend::host) {
        detail::on_host(queue.state(), name, n, [n, f](ThreadPool& pool) {
            host::for_range(pool, n, f);
            if constexpr (HasAfterAll<F>) f.after_all();
        });
    } else if constexpr (has_gpu && DeviceKernel<F>) {
        queue.state().count_launch(n);
        gpu::launch_for(queue.state(), name, n, f);
    } else {
        detail::refuse(queue, name);
    }
}

/// *out = identity op f(0) op f(1) …, where `out` is device memory. The order of the operations
/// depends on n and the backend alone. T is plain data.
template <class T, std::invocable<std::int64_t> F, class Op>
void parallel_reduce(Queue& queue, const char* name, std::int64_t n,
                     std::type_identity_t<T> identity, F f, Op op, T* out) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (queue.backend() == Backend::host) {
        detail::on_host(queue.state(), name, n, [n, identity, f, op, out](ThreadPool& pool) {
            *out = host::reduce<T>(pool, n, identity, f, op);
        });
    } else if constexpr (has_gpu && DeviceKernel<F>) {
        queue.state().count_launch(n);
        gpu::launch_reduce<T, F, Op>(queue.state(), name, n, identity, f, op, out);
    } else {
        detail::refuse(queue, name);
    }
}

/// f(team, t) for every t in [0, policy.teams), by the lanes of one team each.
template <TeamFunctor F>
void team_for(Queue& queue, const char* name, TeamPolicy policy, F f) {
    if (policy.teams <= 0) return;
    assert(policy.size >= 1 && policy.size <= most_lanes_of<F>());
    assert((policy.size & (policy.size - 1)) == 0);
    if (queue.backend() == Backend::host) {
        const int team_threads = queue.state().device->team_threads;
        detail::on_host(queue.state(), name, policy.teams,
                        [policy, team_threads, f](ThreadPool& pool) {
                            host::for_teams(pool, policy, team_threads, f);
                        });
    } else if constexpr (has_gpu && DeviceKernel<F>) {
        queue.state().count_launch(policy.teams);
        gpu::launch_team(queue.state(), name, policy, f);
    } else {
        detail::refuse(queue, name);
    }
}

/// Host devices only: f(ThreadPool&) in queue order. On a normal host queue it runs at the call.
template <std::invocable<ThreadPool&> F>
void host_task(Queue& queue, const char* name, F f) {
    if (queue.backend() != Backend::host) detail::refuse(queue, name);
    detail::on_host(queue.state(), name, 1, std::move(f));
}

}  // namespace aureole::device
