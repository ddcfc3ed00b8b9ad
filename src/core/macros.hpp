// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Before a loop of few steps: GPUs keep arrays that it indexes in registers then.
#if defined(__CUDA_ARCH__)
#define AUREOLE_UNROLL _Pragma("unroll")
#else
#define AUREOLE_UNROLL
#endif

/// Whether code is being compiled for a GPU.
#if defined(__CUDA_ARCH__)
#define AUREOLE_FOR_GPU true
#else
#define AUREOLE_FOR_GPU false
#endif

// Marks a function that kernels of every backend may call.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define AUREOLE_FN __host__ __device__ __forceinline__
#else
#define AUREOLE_FN [[gnu::always_inline]] inline
#endif

// Tells the compiler that a pointer is the only way to its data inside a kernel.
#define AUREOLE_RESTRICT __restrict__
