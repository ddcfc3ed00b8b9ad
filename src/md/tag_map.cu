// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/launch.cuh"
#include "md/tag_map.kernel.hpp"

AUREOLE_DEVICE_FOR(aureole::md::SetPlaces<std::uint32_t>)
AUREOLE_DEVICE_FOR(aureole::md::InsertTags<std::uint32_t>)
AUREOLE_DEVICE_FOR(aureole::md::PlaceTags)
