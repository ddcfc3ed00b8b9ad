// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace aureole::md {

/// The permanent number of a particle: 0, 1, ... over all ranks.
using Tag = std::int64_t;

inline constexpr Tag no_tag = -1;

}  // namespace aureole::md
