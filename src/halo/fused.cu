// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/block_launch.cuh"
#include "halo/fused_send.kernel.hpp"
#include "halo/fused_take.kernel.hpp"

AUREOLE_DEVICE_BLOCKS(aureole::halo::HaloSend)
AUREOLE_DEVICE_BLOCKS(aureole::halo::HaloReceive)
AUREOLE_DEVICE_BLOCKS(aureole::halo::HaloTake<aureole::halo::ColumnForces<double>>)
AUREOLE_DEVICE_BLOCKS(aureole::halo::HaloTake<aureole::halo::ColumnForces<float>>)
