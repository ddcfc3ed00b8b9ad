// SPDX-License-Identifier: Apache-2.0
#include "device/bench/nothing.hpp"

#include "device/gpu/launch.cuh"

AUREOLE_DEVICE_FOR(aureole::device::bench::Nothing)
