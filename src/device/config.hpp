// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::device {

/// Whether this build has the CUDA backend.
#if defined(AUREOLE_HAS_CUDA) && AUREOLE_HAS_CUDA
inline constexpr bool has_cuda = true;
#else
inline constexpr bool has_cuda = false;
#endif

/// Whether a sanitizer watches this build: memory is then never recycled, threads spin less.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Spacing that keeps two threads' variables, and two SIMD streams, apart [bytes].
inline constexpr int cache_line = 64;

}  // namespace aureole::device
