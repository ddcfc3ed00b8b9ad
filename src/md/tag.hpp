// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace aureole::md {

/// The name of a particle, which no sort changes: 0, 1, ... over all ranks.
using Tag = std::int64_t;

inline constexpr Tag no_tag = -1;

}  // namespace aureole::md
