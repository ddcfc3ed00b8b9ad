// SPDX-License-Identifier: Apache-2.0
#include "amr/hydro/leaves.hpp"
#include "amr/step/clock.kernel.hpp"
#include "amr/step/pack_lanes.kernel.hpp"
#include "amr/step/subgrid.kernel.hpp"
#include "device/cuda/launch.cuh"

#define AUREOLE_RECONSTRUCT(Leaf, name) \
    AUREOLE_DEVICE_FOR(::aureole::amr::ReconstructLines<::aureole::amr::Leaf>)
#define AUREOLE_FLUXES(Leaf, name) \
    AUREOLE_DEVICE_FOR(::aureole::amr::LineFluxes<::aureole::amr::Leaf, ::aureole::amr::Ideal>)
#define AUREOLE_STAGE(Reconstruction, Riemann)                                                \
    AUREOLE_DEVICE_TEAM(                                                                      \
        ::aureole::amr::StageByLanes<::aureole::amr::Reconstruction, ::aureole::amr::Riemann, \
                                     ::aureole::amr::Ideal>)

AUREOLE_DEVICE_FOR(::aureole::amr::GatherLines)
AUREOLE_DEVICE_FOR(::aureole::amr::LinesToPrimitive<::aureole::amr::Ideal>)
AUREOLE_RECONSTRUCTIONS(AUREOLE_RECONSTRUCT)
AUREOLE_RIEMANN_SOLVERS(AUREOLE_FLUXES)
AUREOLE_DEVICE_FOR(::aureole::amr::UpdateCells)
AUREOLE_FLUID_PAIRS(AUREOLE_STAGE)
AUREOLE_DEVICE_TEAM(::aureole::amr::TickClock)
