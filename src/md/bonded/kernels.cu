// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "md/bonded/lanes.kernel.hpp"
#include "md/bonded/localise.kernel.hpp"

// The kernels of the terms themselves are in the generated units of the leaf files.
AUREOLE_DEVICE_FOR(aureole::md::FirstIndices)
AUREOLE_DEVICE_FOR(aureole::md::LocaliseTerms)
