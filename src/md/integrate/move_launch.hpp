// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/launch.hpp"
#include "md/integrate/move_job.hpp"

namespace aureole::md {

/// Moves all particles.
template <class KernelLayout, class Noise>
void launch_move(device::Queue& queue, std::int64_t n, const Move<KernelLayout, Noise>& move) {
    device::parallel_for(queue, "move", n, move);
}

/// Whole clusters at a time where all particles are free and of one mass.
template <class T, class Noise>
void launch_move(device::Queue& queue, std::int64_t n, const Move<Packed<T>, Noise>& move) {
    if (move.c.inverse_mass == 0 || move.c.moves != nullptr || move.longest > 0) {
        device::parallel_for(queue, "move", n, move);
        return;
    }
    device::host_task(queue, "move", [move, n](device::ThreadPool& pool) {
        constexpr bool langevin = std::is_same_v<Noise, LangevinThermostat>;
        LangevinThermostat noise{};
        if constexpr (langevin) noise = move.thermostat;
        const auto single = [](const void* self, std::int64_t i) {
            (*static_cast<const Move<Packed<T>, Noise>*>(self))(i);
        };
        const MoveJob<T> job{
            move.c,    move.layout,         noise,        move.state->step, move.dt,
            move.kick, 0.5 * move.farthest, move.pending, move.watch,       single,
            &move};
        const auto kernel = move_kernels().of<T>(langevin);
        pool.run([&](int rank) {
            const auto part = device::part_of(n, rank, pool.size(), drawn_at_once);
            if (kernel(job, part.begin, part.end)) core::atomic_or(&move.state->list_expired, 1);
        });
    });
}

/// Inner displacement limits of all particles. `each`: `renew` for one particle, or what does so
/// within the limits of a halo, [n].
template <class T, class Each>
void launch_limits(device::Queue& queue, std::int64_t n, const RenewLimits<Packed<T>>& renew,
                   const Each& each, const float* halo = nullptr) {
    if (!renew.strain.none()) return device::parallel_for(queue, "limits", n, each);
    device::host_task(queue, "limits", [renew, each, halo, n](device::ThreadPool& pool) {
        const auto single = [](const void* self, std::int64_t i) {
            (*static_cast<const Each*>(self))(i);
        };
        const LimitsJob<T> job{renew.c.velocity, renew.layout, renew.rule, renew.grow,
                               renew.add,        halo,         single,     &each};
        const auto kernel = move_kernels().limits<T>();
        pool.run([&](int rank) {
            const auto part = device::part_of(n, rank, pool.size(), cluster_size);
            kernel(job, part.begin, part.end);
        });
    });
}

/// Friction and noise of all particles.
inline void launch_noise(device::Queue& queue, std::int64_t n, const Noise& noise) {
    if (queue.backend() != device::Backend::host)
        return device::parallel_for(queue, "noise", n, noise);
    device::host_task(queue, "noise", [noise, n](device::ThreadPool& pool) {
        const auto kernel = move_kernels().noise;
        pool.run([&](int rank) {
            const auto part = device::part_of(n, rank, pool.size(), drawn_at_once);
            kernel(noise, part.begin, part.end);
        });
    });
}

}  // namespace aureole::md
