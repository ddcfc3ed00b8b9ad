// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

inline constexpr double heaviest_mass = 1e100;  ///< products of masses must be finite

/// Throw core::InputError for boxes and particles that cannot be simulated.
void check(const core::Box& box);
void check(const ParticleData& data, int n_types);

}  // namespace aureole::md
