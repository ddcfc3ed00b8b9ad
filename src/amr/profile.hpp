// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/profile.hpp"

namespace aureole::amr {

/// Where the time of a run goes: steps, checks and changes of the mesh, copies of the state for
/// users and files, files.
enum class RunRegion { steps, mesh, state, output, count };

inline constexpr std::array<const char*, static_cast<int>(RunRegion::count)> region_names{
    "steps", "mesh", "state", "output"};

using Profile = core::Profile<RunRegion>;

}  // namespace aureole::amr
