// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "md/particles.hpp"

namespace aureole::md {

/// Throw core::InputError for a box and for particles that nothing can be computed of.
void check(const core::Box& box);
void check(const ParticleData& data, int n_types);

}  // namespace aureole::md
