// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"
#include "md/engine.hpp"

namespace aureole::md {

/// Finds the cause of a blow-up: the partner with the largest force on a particle, at the current
/// positions.
core::BlowUp diagnose(device::Queue& queue, const System& system, Tag tag);

[[noreturn]] void throw_blow_up(const core::BlowUp& what);

}  // namespace aureole::md
