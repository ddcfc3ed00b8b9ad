// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

/// Throw core::InputError for boxes and particles that cannot be simulated.
void check(const core::Box& box);
void check(const ParticleData& data, int n_types);

}  // namespace aureole::md
