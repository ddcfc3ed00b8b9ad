// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <string>

#include "core/error.hpp"
#include "device/gpu/vendor/runtime.hpp"

namespace aureole::device::gpu {

/// Throws core::DeviceError unless the call succeeded. `what` is the call or the kernel's name.
inline void check(Error result, const char* what) {
    if (result == success) return;
    static_cast<void>(last_error());  // an error that is not sticky is reported once
    const std::string found = text_of(result);
    if (std::ranges::find(of_kernels, result) != std::end(of_kernels))
        throw core::DeviceError(
            std::string("a kernel failed on the GPU at or before ") + what, found,
            std::string("This process cannot use the GPU again. ") + after_a_fault);
    throw core::DeviceError(std::string(what) + " failed on the GPU", found,
                            result == out_of_memory
                                ? "Simulate a smaller system or use a GPU with more memory."
                                : "Run `aureole doctor`, or choose device \"host\".");
}

}  // namespace aureole::device::gpu
