// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::core::gpu {

using Votes = unsigned long long;

__device__ inline unsigned lane() { return __lane_id(); }

// Widths say which lanes take part, in place of masks: lanes of one team run the same code.
__device__ inline unsigned exchange(unsigned word, int from, int size) {
    return __shfl(word, from, size);
}
__device__ inline unsigned exchange_xor(unsigned word, int bits) {
    return __shfl_xor(word, bits, 32);
}
__device__ inline Votes votes(bool yes, int) { return __ballot(yes); }
/// The lanes of a wave go in step: the compiler is told not to move what they write and read.
__device__ inline void sync_team(int) {
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
}
/// A barrier orders what the workgroup sees, and a release by one lane afterwards waits for its own
/// wave alone: here each wave waits until the device sees what it wrote.
__device__ inline void publish_block() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    __syncthreads();
}

/// The instruction holds its number, here of 8 times 64 cycles.
__device__ inline void pause(unsigned nanoseconds) {
    for (unsigned slept = 0; slept < nanoseconds; slept += 250) __builtin_amdgcn_s_sleep(8);
}

// For ordered.hpp.
__device__ inline std::uint64_t load_acquire(const std::uint64_t* at) {
    return __hip_atomic_load(at, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
}
__device__ inline void store_release(std::uint64_t* at, std::uint64_t value) {
    __hip_atomic_store(at, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}
__device__ inline std::uint32_t count_ordered(std::uint32_t* at) {
    return __hip_atomic_fetch_add(at, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
}

// For dual.hpp: right but for a few units in the last place.
__device__ inline float estimate_recip(float a) { return __builtin_amdgcn_rcpf(a); }
__device__ inline float estimate_rsqrt(float a) { return __builtin_amdgcn_rsqf(a); }

// For atomic.hpp: HIP 5 has no atomicMin of signed numbers of 64 bits.
__device__ inline void atomic_min(std::int64_t* at, std::int64_t value) {
    __hip_atomic_fetch_min(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

}  // namespace aureole::core::gpu
