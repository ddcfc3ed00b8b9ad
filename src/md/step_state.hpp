// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace aureole::md {

/// What the kernels of a step tell each other and the host; lives in device memory.
struct StepState {
    static constexpr std::uint32_t nobody = 0xFFFFFFFFu;

    std::int64_t step = 0;             ///< the step whose positions are current
    std::uint32_t list_outlived = 0;   ///< a particle left the inner list's reach
    std::uint32_t outer_outlived = 0;  ///< a particle has (nearly) left the outer list's reach
    std::uint32_t blown_up = nobody;   ///< smallest tag with a non-finite or runaway move
};

}  // namespace aureole::md
