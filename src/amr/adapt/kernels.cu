// SPDX-License-Identifier: Apache-2.0
#include "amr/adapt/adapt.kernel.hpp"
#include "device/gpu/launch.cuh"

AUREOLE_DEVICE_TEAM(::aureole::amr::FlagSubgrids)
AUREOLE_DEVICE_FOR(::aureole::amr::MoveSubgrids)
AUREOLE_DEVICE_TEAM(::aureole::amr::SplitSubgrids)
