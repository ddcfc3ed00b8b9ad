// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <type_traits>

#include "core/gpu/lanes.hpp"
#include "core/ordered.hpp"
#include "device/after_all.hpp"
#include "device/gpu/check.hpp"
#include "device/gpu/launch.hpp"
#include "device/gpu/queue.hpp"

// Definitions of the launches, for .cu files, and the macros that instantiate them at global scope
// for functors that ordinary sources launch:
//
//   AUREOLE_DEVICE_FOR(aureole::md::Drift)
//   AUREOLE_DEVICE_REDUCE(double, aureole::device::Sum, aureole::md::KineticOf)
//   AUREOLE_DEVICE_TEAM(aureole::md::PairForce<float>)

namespace aureole::device::gpu {

/// Whether a kernel may have parameters of these types.
template <class... Parameters>
inline constexpr bool fit_parameters =
    (0 + ... + ((sizeof(Parameters) + 15) / 16 * 16)) <= most_parameter_bytes;

inline constexpr int block_size = 256;

/// Lanes of a block of a functor's launches.
template <class F>
constexpr int block_size_of() {
    if constexpr (requires { F::block_lanes; })
        return F::block_lanes;
    else
        return block_size;
}

/// The blocks of a launch, `items` of them to a block of `lanes`.
inline unsigned blocks_for(const char* name, std::int64_t n, std::int64_t items,
                           std::int64_t lanes) {
    const std::int64_t blocks = n / items + (n % items != 0);
    if (blocks > most_lanes / lanes)
        throw core::DeviceError(
            std::string(name) + " cannot be launched for " + std::to_string(n) + " items",
            "a launch on this GPU has at most " + std::to_string(most_lanes) + " lanes",
            "Simulate a smaller system, or on several GPUs.");
    return static_cast<unsigned>(blocks);
}

/// What follows all items, by the block that is done last.
template <HasAfterAll F>
__device__ void end_launch(const F& f) {
    core::gpu::publish_block();
    if (threadIdx.x != 0) return;
    if (core::count_ordered(f.blocks_done()) != gridDim.x - 1) return;
    *f.blocks_done() = 0;
    f.after_all();
}

template <class F>
__global__ void __launch_bounds__(block_size_of<F>()) for_kernel(std::int64_t n, const F f) {
    const std::int64_t i = std::int64_t(blockIdx.x) * block_size_of<F>() + threadIdx.x;
    if (i < n) f(i);
    if constexpr (HasAfterAll<F>) end_launch(f);
}

template <class F>
void launch_for(detail::QueueState& queue, const char* name, std::int64_t n, const F& f) {
    static_assert(fit_parameters<std::int64_t, F>, "the functor is too large");
    const Stream stream = static_cast<GpuQueue&>(queue).stream();
    constexpr unsigned lanes = block_size_of<F>();
    const unsigned blocks = blocks_for(name, n, lanes, lanes);
    check(launch(for_kernel<F>, name, {blocks, lanes}, stream, n, f), name);
}

// Reductions: fixed blocks, strides and tree for given n, so that the result has the same bits in
// every run. The first kernel leaves one value per block, the second adds them up.

inline constexpr int reduce_threads = 128;
inline constexpr int reduce_blocks = 256;

template <class T, class Op>
__device__ void reduce_block(T value, const Op& op, T* out) {
    struct Values;
    T* values = reinterpret_cast<T*>(core::gpu::block_memory<Values, reduce_threads * sizeof(T)>());
    const int t = threadIdx.x;
    new (&values[t]) T(value);
    for (int half = reduce_threads / 2; half > 0; half /= 2) {
        core::gpu::sync_block();
        if (t < half) values[t] = op(values[t], values[t + half]);
    }
    if (t == 0) *out = values[0];
}

template <class T, class F, class Op>
__global__ void __launch_bounds__(reduce_threads)
    reduce_kernel(std::int64_t n, const T identity, const F f, const Op op, T* partial) {
    T value = identity;
    const std::int64_t stride = std::int64_t(gridDim.x) * reduce_threads;
    for (std::int64_t i = std::int64_t(blockIdx.x) * reduce_threads + threadIdx.x; i < n;
         i += stride)
        value = op(value, f(i));
    reduce_block(value, op, partial + blockIdx.x);
}

template <class T, class Op>
__global__ void __launch_bounds__(reduce_threads)
    reduce_partial(int n, const T identity, const Op op, const T* partial, T* out) {
    T value = identity;
    for (int i = threadIdx.x; i < n; i += reduce_threads) value = op(value, partial[i]);
    reduce_block(value, op, out);
}

template <class T, class F, class Op>
void launch_reduce(detail::QueueState& queue, const char* name, std::int64_t n, const T& identity,
                   const F& f, const Op& op, T* out) {
    static_assert(sizeof(T) <= 256, "reductions take values of at most 256 bytes");
    static_assert(fit_parameters<std::int64_t, T, F, Op, T*>, "the functor is too large");
    auto& gpu_queue = static_cast<GpuQueue&>(queue);
    // The workspace is this call's until its second kernel.
    const std::lock_guard lock(queue.order);
    const Stream stream = gpu_queue.stream();
    auto* partial = static_cast<T*>(gpu_queue.workspace(sizeof(T) * reduce_blocks));
    const std::int64_t wanted = (n + 4 * reduce_threads - 1) / (4 * reduce_threads);
    const int blocks = static_cast<int>(std::clamp<std::int64_t>(wanted, 1, reduce_blocks));
    check(launch(reduce_kernel<T, F, Op>, name, {unsigned(blocks), reduce_threads}, stream, n,
                 identity, f, op, partial),
          name);
    check(launch(reduce_partial<T, Op>, name, {1, reduce_threads}, stream, blocks, identity, op,
                 partial, out),
          name);
}

/// Small blocks, as many kernels of teams have registers for few warps.
inline constexpr int team_threads = 128;

/// How many blocks of a functor's teams a multiprocessor should hold, which limits registers: what
/// the functor says (`blocks_on_processor`), or no matter.
template <class F>
constexpr int blocks_of() {
    if constexpr (requires { F::blocks_on_processor; })
        return F::blocks_on_processor;
    else
        return 1;
}

/// Teams are parts of warps: `policy.size` lanes side by side, several teams to a block.
template <class F>
__global__ void __launch_bounds__(team_threads, bound_of(blocks_of<F>(), team_threads))
    team_kernel(std::int64_t teams, int size, std::int64_t scratch_bytes, const F f) {
    unsigned char* shared = core::gpu::block_scratch();
    const int in_block = static_cast<int>(threadIdx.x) / size;
    const std::int64_t t = std::int64_t(blockIdx.x) * (blockDim.x / size) + in_block;
    if (t >= teams) return;
    Team team(static_cast<int>(threadIdx.x) % size, size, shared + in_block * scratch_bytes);
    f(team, t);
}

/// A wide team is a block.
template <class F>
__global__ void __launch_bounds__(most_lanes_of<F>()) wide_team_kernel(const F f) {
    WideTeam team(static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x),
                  core::gpu::block_scratch());
    f(team, std::int64_t(blockIdx.x));
}

/// What every GPU grants a kernel without being asked, with room for the memory of reductions
/// [bytes].
inline constexpr std::int64_t surely_granted = 16 << 10, usually_granted = 48 << 10;

/// Lets blocks of a kernel have `bytes` of scratch memory.
/// @throws core::DeviceError where a block of this GPU has less
template <class Kernel>
void grant(const GpuQueue& queue, Kernel* kernel, const char* name, std::int64_t bytes) {
    const auto most = static_cast<std::int64_t>(queue.block_memory());
    if (bytes > most)
        throw core::DeviceError(std::string(name) + " needs " + std::to_string(bytes) +
                                    " bytes of memory for each block",
                                "a block of this GPU has " + std::to_string(most),
                                "Run it on a host or on another GPU.");
    check(allow_shared(kernel, bytes), name);
}

template <class F>
void launch_wide_team(GpuQueue& queue, const char* name, const TeamPolicy& policy, const F& f) {
    const Stream stream = queue.stream();
    if (policy.scratch_bytes > surely_granted)
        grant(queue, wide_team_kernel<F>, name, policy.scratch_bytes);
    const int lanes = std::max(policy.size, 32);
    check(launch(wide_team_kernel<F>, name,
                 {blocks_for(name, policy.teams, 1, lanes), unsigned(lanes),
                  static_cast<std::size_t>(policy.scratch_bytes)},
                 stream, f),
          name);
}

template <class F>
void launch_team(detail::QueueState& queue, const char* name, const TeamPolicy& policy,
                 const F& f) {
    static_assert(fit_parameters<std::int64_t, int, std::int64_t, F>, "the functor is too large");
    auto& gpu_queue = static_cast<GpuQueue&>(queue);
    if constexpr (std::is_same_v<TeamOf<F>, WideTeam>) {
        launch_wide_team(gpu_queue, name, policy, f);
    } else {
        const Stream stream = gpu_queue.stream();
        const std::int64_t scratch = (policy.scratch_bytes + 15) / 16 * 16;
        int threads = team_threads;
        while (threads > 32 && threads / policy.size * scratch > usually_granted) threads /= 2;
        const std::int64_t per_block = threads / policy.size;
        const std::int64_t bytes = per_block * scratch;
        if (bytes > usually_granted) grant(gpu_queue, team_kernel<F>, name, bytes);
        check(launch(team_kernel<F>, name,
                     {blocks_for(name, policy.teams, per_block, threads), unsigned(threads),
                      static_cast<std::size_t>(bytes)},
                     stream, policy.teams, policy.size, scratch, f),
              name);
    }
}

}  // namespace aureole::device::gpu

#define AUREOLE_DEVICE_FOR(...)                                    \
    template void ::aureole::device::gpu::launch_for<__VA_ARGS__>( \
        ::aureole::device::detail::QueueState&, const char*, std::int64_t, const __VA_ARGS__&);

#define AUREOLE_DEVICE_REDUCE(T, Op, ...)                                            \
    template void ::aureole::device::gpu::launch_reduce<T, __VA_ARGS__, Op>(         \
        ::aureole::device::detail::QueueState&, const char*, std::int64_t, const T&, \
        const __VA_ARGS__&, const Op&, T*);

#define AUREOLE_DEVICE_TEAM(...)                                                                   \
    template void ::aureole::device::gpu::launch_team<__VA_ARGS__>(                                \
        ::aureole::device::detail::QueueState&, const char*, const ::aureole::device::TeamPolicy&, \
        const __VA_ARGS__&);
