// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/gpu/pass.hpp"

// What the lanes of a GPU do together, with one name for every vendor. Teams are lanes side by side
// in a wave, as many as a power of two up to 32; a wave has 32 or 64 lanes.
//
//   lane()                      rank in the wave
//   exchange(word, from, size)  the word of lane `from` of the caller's team
//   exchange_xor(word, bits)    that of the lane whose rank in 32 lanes differs by `bits`
//   votes(yes, size)            a bit for each lane of the wave; other teams' are undefined
//   sync_team(size)             what lanes of the team wrote before can be read afterwards
//   sync_block(), any_of_block(yes)
//   publish_block()             a barrier, after which one lane may publish what all have written
//   block_memory<Of, bytes>()   memory of the block, of its own for each type `Of`
//   block_scratch()             memory whose size the launch says
//   pause(nanoseconds)          about as long

#if AUREOLE_GPU_COMPILER
namespace aureole::core::gpu {

__device__ inline void sync_block() { __syncthreads(); }
__device__ inline bool any_of_block(bool yes) { return __syncthreads_or(yes) != 0; }

template <class Of, int bytes>
__device__ unsigned char* block_memory() {
    alignas(16) __shared__ unsigned char memory[bytes];
    return memory;
}
__device__ inline unsigned char* block_scratch() {
    extern __shared__ __attribute__((aligned(16))) unsigned char scratch[];
    return scratch;
}

}  // namespace aureole::core::gpu
#endif

#if defined(__CUDACC__)
#include "core/gpu/cuda.hpp"
#elif defined(__HIPCC__)
#include "core/gpu/hip.hpp"
#elif AUREOLE_GPU_CODE
#include "core/gpu/emulated.hpp"
#endif
