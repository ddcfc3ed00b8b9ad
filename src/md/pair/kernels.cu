// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/pair/flat.kernel.hpp"

// The pair kernels themselves are in the generated units of the leaf files.
AUREOLE_DEVICE_REDUCE(aureole::md::PairSums, aureole::device::Sum, aureole::md::ReadPairSums)
AUREOLE_DEVICE_FOR(aureole::md::TakePairSums)
#define AUREOLE_PACK_COLUMN(element)                            \
    AUREOLE_DEVICE_FOR(aureole::md::PackColumn<float, element>) \
    AUREOLE_DEVICE_FOR(aureole::md::PackColumn<double, element>)
AUREOLE_PACK_COLUMN(double)
AUREOLE_PACK_COLUMN(aureole::core::Vec3d)
AUREOLE_PACK_COLUMN(aureole::md::Tag)
