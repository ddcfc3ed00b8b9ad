// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform.hpp"

namespace aureole::device {

/// Whether this build has the CUDA backend.
#if defined(AUREOLE_HAS_CUDA) && AUREOLE_HAS_CUDA
inline constexpr bool has_cuda = true;
#else
inline constexpr bool has_cuda = false;
#endif

/// Where a sanitizer watches, memory is never recycled, and threads spin less.
using core::sanitized;

/// Spacing that keeps two threads' variables, and two SIMD streams, apart [bytes].
inline constexpr int cache_line = 64;

}  // namespace aureole::device
