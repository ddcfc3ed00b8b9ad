// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/profile.hpp"

namespace aureole::md {

/// Where a step's time goes.
enum class StepRegion {
    search,
    prune,
    force,
    bonded,
    mesh,
    update,
    constraints,
    thermo,
    output,
    halo_positions,
    halo_forces,
    sums,
    count
};

inline constexpr std::array<const char*, static_cast<int>(StepRegion::count)> region_names{
    "search",      "prune",  "force",  "bonded",         "mesh",        "update",
    "constraints", "thermo", "output", "halo_positions", "halo_forces", "sums"};

using Profile = core::Profile<StepRegion>;

}  // namespace aureole::md
