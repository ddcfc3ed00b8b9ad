// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "md/tag.hpp"

namespace aureole::md {

/// What the kernels of a step tell each other and the host; lives in device memory.
struct StepState {
    static constexpr Tag nobody = INT64_MAX;

    std::int64_t step = 0;             ///< the step whose positions are current
    std::uint32_t list_outlived = 0;   ///< a particle left the inner list's reach
    std::uint32_t outer_outlived = 0;  ///< a particle has (nearly) left the outer list's reach
    Tag blown_up = nobody;             ///< smallest tag with a non-finite or runaway move
};

}  // namespace aureole::md
