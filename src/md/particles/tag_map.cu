// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "md/particles/tag_map.kernel.hpp"

AUREOLE_DEVICE_FOR(aureole::md::SetIndices)
AUREOLE_DEVICE_FOR(aureole::md::InsertTags)
AUREOLE_DEVICE_FOR(aureole::md::FindIndices)
