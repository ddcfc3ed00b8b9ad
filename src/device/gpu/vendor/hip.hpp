// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hip/hip_runtime.h>

#pragma weak hipLaunchHostFunc

#define __grid_constant__
#define AUREOLE_RT(name) hip##name
#include "device/gpu/vendor/shared_names.hpp"

namespace aureole::device::gpu {

inline constexpr const char* maker = "AMD";
inline constexpr const char* architecture_term = "architecture";
inline constexpr const char* after_a_fault =
    "Run once more with AMD_SERIALIZE_KERNEL=3 in the environment: the error then names the kernel "
    "that failed.";
/// Why GPUs that are there may not be found.
inline constexpr const char* hidden_by =
    "ROCR_VISIBLE_DEVICES may hide it, and only the groups render and video may open /dev/kfd";

inline constexpr Error no_device = hipErrorNoDevice;
inline constexpr Error out_of_memory = hipErrorOutOfMemory;
inline constexpr std::size_t most_parameter_bytes = 4096;
inline constexpr std::int64_t most_lanes = 0xffffffff;

/// The second number of __launch_bounds__ for so many blocks on a multiprocessor: waves of 64 lanes
/// on each of its four parts.
constexpr int bound_of(int blocks, int lanes) {
    const int wavefronts = blocks * lanes / 64 / 4;
    return wavefronts > 1 ? wavefronts : 1;
}

/// Errors of kernels, which a later call is the first to report.
inline constexpr Error of_kernels[] = {hipErrorIllegalAddress, hipErrorLaunchFailure,
                                       hipErrorLaunchTimeOut, hipErrorAssert};

inline Error properties_of(Properties& found, int index) {
    hipDeviceProp_t p{};
    const Error error = hipGetDeviceProperties(&p, index);
    // An architecture with its features: gfx90a:sramecc+:xnack-
    found = {p.name, p.gcnArchName, p.multiProcessorCount, p.totalGlobalMem, p.sharedMemPerBlock};
    return error;
}

inline Error processors_of(int& count, int index) {
    return hipDeviceGetAttribute(&count, hipDeviceAttributeMultiprocessorCount, index);
}

/// HIP's library before 5.3 declares the function and lacks it.
inline Error call(Stream stream, void (*f)(void*), void* data) {
    return &hipLaunchHostFunc ? hipLaunchHostFunc(stream, f, data) : hipErrorNotSupported;
}

inline Error allocate_pinned(void*& memory, std::size_t bytes) {
    return hipHostMalloc(&memory, bytes, hipHostMallocDefault);
}
inline void release_pinned(void* memory) { static_cast<void>(hipHostFree(memory)); }

/// Whether it is ordinary memory of the host: copies from that are staged at the call. Before ROCm
/// 6 there is an error for such memory.
inline Error is_pageable(bool& yes, const void* memory) {
    hipPointerAttribute_t found{};
    const Error error = hipPointerGetAttributes(&found, memory);
    yes = error == hipErrorInvalidValue;
#if HIP_VERSION_MAJOR >= 6
    yes = yes || (error == hipSuccess && found.type == hipMemoryTypeUnregistered);
#endif
    return error;
}

}  // namespace aureole::device::gpu

#include "device/gpu/own_pool.hpp"

namespace aureole::device::gpu {

/// HIP's own, of ROCm 6 and 7, gives memory twice or none (docs/decisions/061-vendors.md).
using Pool = OwnPool;

}  // namespace aureole::device::gpu
