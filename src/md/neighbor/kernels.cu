// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/neighbor/flat_list.kernel.hpp"
#include "md/neighbor/local_density.kernel.hpp"

AUREOLE_DEVICE_FOR(aureole::md::CountInCells)
AUREOLE_DEVICE_FOR(aureole::md::CountExcluded)
AUREOLE_DEVICE_FOR(aureole::md::LocaliseExcluded)
AUREOLE_DEVICE_FOR(aureole::md::SetTypes<float>)
AUREOLE_DEVICE_FOR(aureole::md::SetTypes<double>)
AUREOLE_DEVICE_REDUCE(aureole::md::CellSums, aureole::device::Sum, aureole::md::MultiplyInCells)
AUREOLE_DEVICE_TEAM(aureole::md::FlatSearch<float>)
AUREOLE_DEVICE_TEAM(aureole::md::FlatSearch<double>)
