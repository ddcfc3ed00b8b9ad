// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::core::gpu {

using Votes = unsigned;

__device__ inline unsigned lane() { return threadIdx.x & 31u; }

/// The lanes of the caller's team.
__device__ inline unsigned team_mask(int size) {
    const unsigned first = lane() & ~(static_cast<unsigned>(size) - 1u);
    return (0xffffffffu >> (32 - size)) << first;
}

__device__ inline unsigned exchange(unsigned word, int from, int size) {
    return __shfl_sync(team_mask(size), word, from, size);
}
__device__ inline unsigned exchange_xor(unsigned word, int bits) {
    return __shfl_xor_sync(0xffffffffu, word, bits);
}
__device__ inline Votes votes(bool yes, int size) { return __ballot_sync(team_mask(size), yes); }
__device__ inline void sync_team(int size) { __syncwarp(team_mask(size)); }
__device__ inline void publish_block() { __syncthreads(); }

__device__ inline void pause(unsigned nanoseconds) { __nanosleep(nanoseconds); }

// For ordered.hpp: causality order of the PTX ISA 8.0, section 8.9.5.
__device__ inline std::uint64_t load_acquire(const std::uint64_t* at) {
    std::uint64_t value;
    asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
    return value;
}
__device__ inline void store_release(std::uint64_t* at, std::uint64_t value) {
    asm volatile("st.release.sys.u64 [%0], %1;" : : "l"(at), "l"(value) : "memory");
}
__device__ inline std::uint32_t count_ordered(std::uint32_t* at) {
    std::uint32_t before;
    asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(at) : "memory");
    return before;
}

// For dual.hpp: right but for a few units in the last place.
__device__ inline float estimate_recip(float a) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}
__device__ inline float estimate_rsqrt(float a) {
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}

// For atomic.hpp, which takes the rest from names that vendors share.
__device__ inline void atomic_min(std::int64_t* at, std::int64_t value) {
    atomicMin(reinterpret_cast<long long*>(at), static_cast<long long>(value));
}

}  // namespace aureole::core::gpu
