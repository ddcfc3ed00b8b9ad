// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "md/tag.hpp"

namespace aureole::md {

/// What the kernels of a segment of steps tell each other and the host; lives in device memory.
struct StepState {
    static constexpr Tag nobody = INT64_MAX;
    static constexpr std::int64_t never = INT64_MAX;

    std::int64_t step = 0;             ///< the step whose positions are current
    std::uint32_t list_outlived = 0;   ///< a particle left its limit in the inner list
    std::uint32_t outer_outlived = 0;  ///< a particle has (nearly) left that of the outer list
    Tag blown_up = nobody;             ///< smallest tag with a non-finite or runaway move
    std::int64_t outlived_at = never;  ///< first step of the segment at which the list was outlived
    std::int64_t blown_at = never;     ///< first step at which a particle was thrown out
    double heat = 0;                   ///< energy that thermostats gave
};

}  // namespace aureole::md
