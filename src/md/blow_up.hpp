// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"
#include "md/engine.hpp"

namespace aureole::md {

/// Finds what drove a particle away: its worst partner and force, at positions as they are.
core::BlowUp diagnose(device::Queue& queue, const System& system, Tag tag);

[[noreturn]] void throw_blow_up(const core::BlowUp& what);

}  // namespace aureole::md
