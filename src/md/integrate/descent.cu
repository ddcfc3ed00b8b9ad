// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/descent.kernel.hpp"

#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"

AUREOLE_DEVICE_FOR(aureole::md::Descend)
AUREOLE_DEVICE_FOR(aureole::md::AllowTrial)
AUREOLE_DEVICE_FOR(aureole::md::FinishTrial)
AUREOLE_DEVICE_FOR(aureole::md::StartDescent)
AUREOLE_DEVICE_FOR(aureole::md::DecideDescent)
AUREOLE_DEVICE_FOR(aureole::md::GoBack)

AUREOLE_DEVICE_REDUCE(double, aureole::device::Max, aureole::md::SquareOfDisplacement)
AUREOLE_DEVICE_REDUCE(aureole::md::LargestForce, aureole::device::Sum, aureole::md::SquareOfForce)
