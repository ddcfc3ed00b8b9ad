// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/integrate/virtual/site.kernel.hpp"

AUREOLE_DEVICE_FOR(aureole::md::ConstructSites)
AUREOLE_DEVICE_FOR(aureole::md::SpreadSites<aureole::md::ForceColumn>)
AUREOLE_DEVICE_REDUCE(aureole::core::Sym3d, aureole::device::Sum, aureole::md::ReadSiteVirial)
