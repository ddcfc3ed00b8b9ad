// SPDX-License-Identifier: Apache-2.0
#include "device/tests/emulated/kernels.hpp"

#include "device/gpu/launch.cuh"

using namespace aureole::device;

AUREOLE_DEVICE_TEAM(testing::WrongTeam<testing::Mistake::early_return>)
AUREOLE_DEVICE_TEAM(testing::WrongTeam<testing::Mistake::missed_barrier>)
AUREOLE_DEVICE_TEAM(testing::WrongBlock<testing::Mistake::missed_barrier>)
AUREOLE_DEVICE_TEAM(testing::WrongBlock<testing::Mistake::much_memory>)
AUREOLE_DEVICE_TEAM(testing::WrongBlock<testing::Mistake::deep_stack>)
AUREOLE_DEVICE_TEAM(testing::WrongBlock<testing::Mistake::astray>)
