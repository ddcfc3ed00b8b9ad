// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"
#include "md/system/system.hpp"

namespace aureole::md {

/// Throws core::BlowUpError for a particle that this rank owns: with the partner whose force on it
/// is largest at the current positions, as far as this rank knows its partners; and with how many
/// pair lists were outrun before.
[[noreturn]] void report_blow_up(device::Queue& queue, const System& system, Tag tag,
                                 std::int64_t lists_outrun);

/// Throws core::BlowUpError on all ranks, for the lowest of their tags `mine` and considering all
/// its partners. Returns if all ranks give StepState::nobody. All ranks call it together.
void report_of_any(device::Queue& queue, const System& system, Tag mine,
                   std::int64_t lists_outrun = 0);

/// Throws core::BlowUpError for the constraint that is violated most, if its length is off by more
/// than steps leave. All ranks call it together.
void report_of_constraints(device::Queue& queue, const System& system);

}  // namespace aureole::md
