// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/pass.hpp"

/// Before a loop of few steps: GPUs keep arrays that it indexes in registers then.
#if AUREOLE_FOR_GPU
#define AUREOLE_UNROLL _Pragma("unroll")
#else
#define AUREOLE_UNROLL
#endif

// Marks a function that kernels of every backend may call.
#if AUREOLE_GPU_COMPILER
#define AUREOLE_FN __host__ __device__ __forceinline__
#else
#define AUREOLE_FN [[gnu::always_inline]] inline
#endif

// Tells the compiler that a pointer is the only way to its data inside a kernel.
#define AUREOLE_RESTRICT __restrict__
