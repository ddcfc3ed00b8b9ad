// SPDX-License-Identifier: Apache-2.0
#include "amr/hydro/leaves.hpp"
#include "amr/step/careful.kernel.hpp"
#include "amr/step/clock.kernel.hpp"
#include "amr/step/jumps.kernel.hpp"
#include "amr/step/look.kernel.hpp"
#include "amr/step/pack_lanes.kernel.hpp"
#include "amr/step/subgrid.kernel.hpp"
#include "device/gpu/batch.cuh"

#define AUREOLE_STAGE(Reconstruction, Riemann)                                                \
    AUREOLE_DEVICE_TEAM(                                                                      \
        ::aureole::amr::StageByLanes<::aureole::amr::Reconstruction, ::aureole::amr::Riemann, \
                                     ::aureole::amr::Ideal>)

AUREOLE_DEVICE_BATCH(::aureole::amr::GatherLines)
AUREOLE_DEVICE_BATCH(::aureole::amr::GatherFromFields)
AUREOLE_DEVICE_BATCH(::aureole::amr::LinesToPrimitive<::aureole::amr::Ideal>)
AUREOLE_DEVICE_BATCH(::aureole::amr::ReconstructLines)
AUREOLE_DEVICE_BATCH(::aureole::amr::LineFluxes<::aureole::amr::Ideal>)
AUREOLE_DEVICE_BATCH(::aureole::amr::UpdateCells)
AUREOLE_FLUID_PAIRS(AUREOLE_STAGE)
AUREOLE_DEVICE_TEAM(::aureole::amr::TickClock)
AUREOLE_DEVICE_TEAM(::aureole::amr::LookAtCells<::aureole::amr::Ideal>)
AUREOLE_DEVICE_TEAM(::aureole::amr::HalosOfStage)
AUREOLE_DEVICE_FOR(::aureole::amr::CorrectOfStage)
AUREOLE_DEVICE_BATCH(::aureole::amr::FillPatches)
AUREOLE_DEVICE_BATCH(::aureole::amr::PutHalos)
AUREOLE_DEVICE_BATCH(::aureole::amr::KeepFluxes)
AUREOLE_DEVICE_BATCH(::aureole::amr::CorrectCells)
AUREOLE_DEVICE_TEAM(::aureole::amr::FlagBadCells<::aureole::amr::Ideal>)
AUREOLE_DEVICE_FOR(::aureole::amr::FlagsBeyondJumps)
AUREOLE_DEVICE_TEAM(::aureole::amr::FloorCells<::aureole::amr::Ideal>)
