// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "halo/fused.hpp"

namespace aureole::halo {

/// Which rows are added to which particles: a particle's rows one after the other, from the last
/// pulse to the first, as Exchange adds them.
struct SumPlan {
    std::vector<FusedSum> sum;          ///< of the ghosts of each pulse, then of owned particles
    std::vector<std::int64_t> first;    ///< [pulses + 2] sums of each pulse, of owned particles
    std::vector<std::int64_t> addend;   ///< rows, those of all pulses one behind the other
    std::vector<std::uint8_t> sent_on;  ///< [ghosts of all pulses]
};

SumPlan plan_sums(std::span<const PulsePlan> plans);

}  // namespace aureole::halo
