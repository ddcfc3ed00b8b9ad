// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <type_traits>

#include "device/cuda/check.hpp"
#include "device/cuda/launch.hpp"
#include "device/cuda/queue.hpp"

// Definitions of the launches, for .cu files, and the macros that instantiate them at global scope
// for functors that ordinary sources launch:
//
//   AUREOLE_DEVICE_FOR(aureole::md::Drift)
//   AUREOLE_DEVICE_REDUCE(double, aureole::device::Sum, aureole::md::KineticOf)   value, operation,
//   functor AUREOLE_DEVICE_TEAM(aureole::md::PairForce<float>)

namespace aureole::device::cuda {

/// Whether a kernel may have parameters of these types.
template <class... Parameters>
inline constexpr bool fit_parameters =
    (0 + ... + ((sizeof(Parameters) + 15) / 16 * 16)) <= most_parameter_bytes;

inline constexpr int block_size = 256;

template <class F>
__global__ void __launch_bounds__(block_size) for_kernel(std::int64_t n, const F f) {
    const std::int64_t i = std::int64_t(blockIdx.x) * block_size + threadIdx.x;
    if (i < n) f(i);
}

template <class F>
void launch_for(detail::QueueState& queue, const char* name, std::int64_t n, const F& f) {
    static_assert(fit_parameters<std::int64_t, F>, "the functor is too large");
    const cudaStream_t stream = static_cast<CudaQueue&>(queue).stream();
    const auto blocks = static_cast<unsigned>((n + block_size - 1) / block_size);
    for_kernel<<<blocks, block_size, 0, stream>>>(n, f);
    check(cudaGetLastError(), name);
}

// Reductions: fixed blocks, strides and tree for given n, so that the result has the same bits in
// every run. The first kernel leaves one value per block, the second adds them up.

inline constexpr int reduce_threads = 128;
inline constexpr int reduce_blocks = 256;

template <class T, class Op>
__device__ void reduce_block(T value, const Op& op, T* out) {
    alignas(16) __shared__ unsigned char memory[reduce_threads * sizeof(T)];
    T* values = reinterpret_cast<T*>(memory);
    const int t = threadIdx.x;
    new (&values[t]) T(value);
    for (int half = reduce_threads / 2; half > 0; half /= 2) {
        __syncthreads();
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
    static_assert(sizeof(T) * reduce_blocks <= CudaQueue::workspace_bytes,
                  "reductions take values of at most 256 bytes");
    static_assert(fit_parameters<std::int64_t, T, F, Op, T*>, "the functor is too large");
    auto& cuda_queue = static_cast<CudaQueue&>(queue);
    const std::lock_guard lock(
        queue.order);  // the workspace is this call's until its second kernel
    const cudaStream_t stream = cuda_queue.stream();
    auto* partial = static_cast<T*>(cuda_queue.workspace());
    const std::int64_t wanted = (n + 4 * reduce_threads - 1) / (4 * reduce_threads);
    const int blocks = static_cast<int>(std::clamp<std::int64_t>(wanted, 1, reduce_blocks));
    reduce_kernel<<<blocks, reduce_threads, 0, stream>>>(n, identity, f, op, partial);
    check(cudaGetLastError(), name);
    reduce_partial<<<1, reduce_threads, 0, stream>>>(blocks, identity, op,
                                                     static_cast<const T*>(partial), out);
    check(cudaGetLastError(), name);
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
__global__ void __launch_bounds__(team_threads, blocks_of<F>())
    team_kernel(std::int64_t teams, int size, std::int64_t scratch_bytes, const F f) {
    extern __shared__ __align__(16) unsigned char shared[];
    const int in_block = static_cast<int>(threadIdx.x) / size;
    const std::int64_t t = std::int64_t(blockIdx.x) * (blockDim.x / size) + in_block;
    if (t >= teams) return;
    Team team(static_cast<int>(threadIdx.x) % size, size, shared + in_block * scratch_bytes);
    f(team, t);
}

/// A wide team is a block.
template <class F>
__global__ void __launch_bounds__(most_lanes_of<F>()) wide_team_kernel(const F f) {
    extern __shared__ __align__(16) unsigned char shared[];
    WideTeam team(static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x), shared);
    f(team, std::int64_t(blockIdx.x));
}

template <class F>
void launch_wide_team(cudaStream_t stream, const char* name, const TeamPolicy& policy, const F& f) {
    // Reductions have shared memory too: from their sum on, 48 kB, more must be asked for.
    constexpr std::int64_t surely_granted = 16 << 10;
    if (policy.scratch_bytes > surely_granted)
        check(cudaFuncSetAttribute(wide_team_kernel<F>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(policy.scratch_bytes)),
              name);
    wide_team_kernel<<<static_cast<unsigned>(policy.teams), std::max(policy.size, 32),
                       policy.scratch_bytes, stream>>>(f);
    check(cudaGetLastError(), name);
}

template <class F>
void launch_team(detail::QueueState& queue, const char* name, const TeamPolicy& policy,
                 const F& f) {
    static_assert(fit_parameters<std::int64_t, int, std::int64_t, F>, "the functor is too large");
    const cudaStream_t stream = static_cast<CudaQueue&>(queue).stream();
    if constexpr (std::is_same_v<TeamOf<F>, WideTeam>) {
        launch_wide_team(stream, name, policy, f);
    } else {
        constexpr std::int64_t usual_shared = 48 << 10;
        const std::int64_t scratch = (policy.scratch_bytes + 15) / 16 * 16;
        int threads = team_threads;
        while (threads > 32 && threads / policy.size * scratch > usual_shared) threads /= 2;
        const std::int64_t per_block = threads / policy.size;
        const std::int64_t bytes = per_block * scratch;
        if (bytes > usual_shared)
            check(cudaFuncSetAttribute(team_kernel<F>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(bytes)),
                  name);
        const auto blocks = static_cast<unsigned>((policy.teams + per_block - 1) / per_block);
        team_kernel<<<blocks, threads, bytes, stream>>>(policy.teams, policy.size, scratch, f);
        check(cudaGetLastError(), name);
    }
}

}  // namespace aureole::device::cuda

#define AUREOLE_DEVICE_FOR(...)                                     \
    template void ::aureole::device::cuda::launch_for<__VA_ARGS__>( \
        ::aureole::device::detail::QueueState&, const char*, std::int64_t, const __VA_ARGS__&);

#define AUREOLE_DEVICE_REDUCE(T, Op, ...)                                            \
    template void ::aureole::device::cuda::launch_reduce<T, __VA_ARGS__, Op>(        \
        ::aureole::device::detail::QueueState&, const char*, std::int64_t, const T&, \
        const __VA_ARGS__&, const Op&, T*);

#define AUREOLE_DEVICE_TEAM(...)                                                                   \
    template void ::aureole::device::cuda::launch_team<__VA_ARGS__>(                               \
        ::aureole::device::detail::QueueState&, const char*, const ::aureole::device::TeamPolicy&, \
        const __VA_ARGS__&);
