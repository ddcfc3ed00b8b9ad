// SPDX-License-Identifier: Apache-2.0
#pragma once

// For whom this source is being compiled, which a GPU's compiler does several times.
//
//   AUREOLE_FOR_GPU       true for a GPU's processors: hosts never run what is compiled
//   AUREOLE_GPU_CODE      whether code of GPUs is part of it: for a GPU, or where GPUs are emulated
//   AUREOLE_HOST_CODE     whether code of hosts is: all but for a GPU
//   AUREOLE_ON_GPU        before a statement that ends a function on a GPU; code of hosts follows
//   AUREOLE_GPU_COMPILER  whether functions have to be marked for GPUs

#if defined(__HIPCC__)
#include <hip/hip_runtime.h>  // what nvcc knows by itself
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define AUREOLE_GPU_COMPILER 1
#else
#define AUREOLE_GPU_COMPILER 0
#endif

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define AUREOLE_FOR_GPU true
#define AUREOLE_GPU_CODE 1
#define AUREOLE_HOST_CODE 0
#define AUREOLE_ON_GPU
#else
#define AUREOLE_FOR_GPU false
#define AUREOLE_HOST_CODE 1
#if defined(AUREOLE_GPU_EMULATED)
#define AUREOLE_GPU_CODE 1
#define AUREOLE_ON_GPU if (::aureole::core::gpu::in_kernel())
#else
#define AUREOLE_GPU_CODE 0
#endif
#endif
