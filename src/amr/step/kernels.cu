// SPDX-License-Identifier: Apache-2.0
#include "amr/hydro/leaves.hpp"
#include "amr/step/clock.kernel.hpp"
#include "amr/step/pack_lanes.kernel.hpp"
#include "amr/step/subgrid.kernel.hpp"
#include "device/cuda/launch.cuh"

namespace aureole::amr {

#define AUREOLE_RECONSTRUCT(Leaf, name) AUREOLE_DEVICE_FOR(::aureole::amr::ReconstructLines<Leaf>)
#define AUREOLE_FLUXES(Leaf, name) AUREOLE_DEVICE_FOR(::aureole::amr::LineFluxes<Leaf, Ideal>)
#define AUREOLE_STAGE(Reconstruction, Riemann) \
    AUREOLE_DEVICE_TEAM(::aureole::amr::StageByLanes<Reconstruction, Riemann, Ideal>)

AUREOLE_DEVICE_FOR(::aureole::amr::GatherLines)
AUREOLE_DEVICE_FOR(::aureole::amr::LinesToPrimitive<Ideal>)
AUREOLE_RECONSTRUCTIONS(AUREOLE_RECONSTRUCT)
AUREOLE_RIEMANN_SOLVERS(AUREOLE_FLUXES)
AUREOLE_DEVICE_FOR(::aureole::amr::UpdateCells)
AUREOLE_FLUID_PAIRS(AUREOLE_STAGE)
AUREOLE_DEVICE_TEAM(::aureole::amr::TickClock)

}  // namespace aureole::amr
