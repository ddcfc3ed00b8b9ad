// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/neighbor/find_bounds.kernel.hpp"
#include "md/neighbor/hilbert.kernel.hpp"
#include "md/neighbor/tile_search.kernel.hpp"

AUREOLE_DEVICE_FOR(aureole::md::HilbertKeys)
AUREOLE_DEVICE_TEAM(aureole::md::FindUpperBounds<float>)
AUREOLE_DEVICE_TEAM(aureole::md::FindUpperBounds<double>)
AUREOLE_DEVICE_TEAM(aureole::md::TileSearch)
AUREOLE_DEVICE_REDUCE(aureole::md::TileCounts, aureole::device::Sum, aureole::md::CountTiles)
