// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace aureole::md {

/// Counts of steps, collective calls and list renewals since the simulation was made; the same on
/// all ranks.
struct StepCounts {
    std::int64_t steps = 0;
    std::int64_t collectives = 0;              ///< calls in which each rank waits for all others
    std::int64_t collectives_of_renewals = 0;  ///< those of them that new lists took
    std::int64_t renewals = 0;                 ///< of lists, by pruning or by a search
    std::int64_t early_renewals = 0;           ///< those before the planned step
    std::int64_t taken_back = 0;               ///< steps made again, as a list had expired
    std::int64_t lists_outrun = 0;             ///< tolerance lists that particles went too far for
};

}  // namespace aureole::md
