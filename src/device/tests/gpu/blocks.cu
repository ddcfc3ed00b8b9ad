// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/block_launch.cuh"
#include "device/tests/block_kernels.hpp"

AUREOLE_DEVICE_BLOCKS(aureole::device::testing::RowAfterRow)
