// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#define AUREOLE_RT(name) cuda##name
#include "device/gpu/vendor/shared_names.hpp"

namespace aureole::device::gpu {

inline constexpr const char* maker = "NVIDIA";
inline constexpr const char* architecture_term = "compute capability";
inline constexpr const char* after_a_fault =
    "Run once more with CUDA_LAUNCH_BLOCKING=1 in the environment: the error then names the kernel "
    "that failed.";
/// Why GPUs that are there may not be found.
inline constexpr const char* hidden_by = "CUDA_VISIBLE_DEVICES may hide it";

inline constexpr Error no_device = cudaErrorNoDevice;
inline constexpr Error out_of_memory = cudaErrorMemoryAllocation;
/// All GPUs that Aureole supports take as many since CUDA 12.1.
inline constexpr std::size_t most_parameter_bytes = CUDART_VERSION >= 12010 ? 32764 : 4096;
inline constexpr std::int64_t most_lanes = std::int64_t{0x7fffffff} * 1024;

/// The second number of __launch_bounds__ for so many blocks on a multiprocessor.
constexpr int bound_of(int blocks, int) { return blocks; }

/// Errors of kernels, which a later call is the first to report.
inline constexpr Error of_kernels[] = {
    cudaErrorIllegalAddress,      cudaErrorIllegalInstruction, cudaErrorMisalignedAddress,
    cudaErrorInvalidAddressSpace, cudaErrorInvalidPc,          cudaErrorHardwareStackError,
    cudaErrorLaunchFailure,       cudaErrorLaunchTimeout,      cudaErrorAssert};

inline Error properties_of(Properties& found, int index) {
    cudaDeviceProp p{};
    const Error error = cudaGetDeviceProperties(&p, index);
    found = {p.name, std::to_string(10 * p.major + p.minor), p.multiProcessorCount,
             p.totalGlobalMem, p.sharedMemPerBlockOptin};
    return error;
}

inline Error processors_of(int& count, int index) {
    return cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, index);
}

inline Error call(Stream stream, void (*f)(void*), void* data) {
    return cudaLaunchHostFunc(stream, f, data);
}

inline Error allocate_pinned(void*& memory, std::size_t bytes) {
    return cudaMallocHost(&memory, bytes);
}
inline void release_pinned(void* memory) { cudaFreeHost(memory); }

/// Whether it is ordinary memory of the host: copies from that are staged at the call.
inline Error is_pageable(bool& yes, const void* memory) {
    cudaPointerAttributes found{};
    const Error error = cudaPointerGetAttributes(&found, memory);
    yes = error == cudaSuccess && found.type == cudaMemoryTypeUnregistered;
    return error;
}

/// The driver's.
class Pool {
  public:
    /// Freed memory stays with the pool instead of going back to the driver at every wait.
    Error open(int index) {
        if (const Error error = cudaDeviceGetDefaultMemPool(&pool_, index)) return error;
        std::uint64_t keep = std::uint64_t{1} << 30;
        return cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep);
    }
    Error take(void*& memory, std::size_t bytes, Stream stream) {
        return cudaMallocAsync(&memory, bytes, stream);
    }
    void give(void* memory, Stream stream) noexcept { cudaFreeAsync(memory, stream); }
    void forget(Stream) noexcept {}
    void shrink() {
        if (synchronize_device() != success || cudaMemPoolTrimTo(pool_, 0) != success)
            static_cast<void>(last_error());
    }
    bool hold() { return true; }

  private:
    cudaMemPool_t pool_ = nullptr;
};

}  // namespace aureole::device::gpu
