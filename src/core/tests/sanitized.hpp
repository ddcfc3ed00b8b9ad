// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::core::testing {

/// Whether a sanitizer watches this build, which then runs an order of magnitude slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace aureole::core::testing
