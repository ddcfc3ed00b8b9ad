// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "core/error.hpp"

namespace aureole::device::cuda {

/// Whether kernels end with this error, which a later call is the first to report.
inline bool is_of_a_kernel(cudaError_t error) {
    switch (error) {
        case cudaErrorIllegalAddress:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorHardwareStackError:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorAssert:
            return true;
        default:
            return false;
    }
}

/// Throws core::DeviceError unless the call succeeded. `what` is the call or the kernel's name.
inline void check(cudaError_t result, const char* what) {
    if (result == cudaSuccess) return;
    cudaGetLastError();  // an error that is not sticky is reported once
    const std::string found = cudaGetErrorString(result);
    if (is_of_a_kernel(result))
        throw core::DeviceError(
            std::string("a kernel failed on the GPU at or before ") + what, found,
            "This process cannot use the GPU again. Run once more with CUDA_LAUNCH_BLOCKING=1 in "
            "the environment: the error then names the kernel that failed.");
    throw core::DeviceError(std::string(what) + " failed on the GPU", found,
                            result == cudaErrorMemoryAllocation
                                ? "Simulate a smaller system or use a GPU with more memory."
                                : "Run `aureole doctor`, or choose device \"host\".");
}

}  // namespace aureole::device::cuda
