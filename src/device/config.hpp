// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/platform.hpp"

namespace aureole::device {

/// Whose GPUs this build is for, as its devices are called (device/gpu/vendor/names.hpp); empty
/// where it is for none.
inline constexpr std::string_view gpu_vendor = AUREOLE_GPU_VENDOR;
inline constexpr bool has_gpu = !gpu_vendor.empty();
/// Architectures that device code was compiled for, with blanks between.
inline constexpr std::string_view gpu_code = AUREOLE_GPU_ARCHITECTURES;

/// Where a sanitizer watches, memory is never recycled, and threads spin less.
using core::sanitized;

/// Spacing that keeps two threads' variables, and two SIMD streams, apart [bytes].
inline constexpr int cache_line = 64;

}  // namespace aureole::device
