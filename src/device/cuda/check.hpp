// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "core/error.hpp"

namespace aureole::device::cuda {

/// Throws core::DeviceError unless the call succeeded. `what` is the call or the kernel's name.
inline void check(cudaError_t result, const char* what) {
    if (result == cudaSuccess) return;
    cudaGetLastError();  // an error that is not sticky is reported once
    const bool memory = result == cudaErrorMemoryAllocation;
    throw core::DeviceError(std::string(what) + " failed on the GPU", cudaGetErrorString(result),
                            memory ? "Simulate fewer particles or use a GPU with more memory."
                                   : "Run `aureole doctor`, or choose device \"host\".");
}

}  // namespace aureole::device::cuda
