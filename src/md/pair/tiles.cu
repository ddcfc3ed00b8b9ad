// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/pair/excluded_forces.kernel.hpp"
#include "md/pair/tile_pair_forces.kernel.hpp"
#include "md/pair/tile_pairs.kernel.hpp"

using aureole::md::Coulomb;
using aureole::md::Mixing;
using aureole::md::MoleculePairs;
using aureole::md::StatedRule;
using aureole::md::TeamLanes;
using aureole::md::TilesOfTeam;
using aureole::md::VdwEnd;

#define AUREOLE_TILES_OF(coulomb, end, mixing, one, energy) \
    AUREOLE_DEVICE_TEAM(                                    \
        TilesOfTeam<MoleculePairs<coulomb, end, StatedRule<mixing, one>, energy, TeamLanes>>)
#define AUREOLE_TILES_ENDING(coulomb, end)                                  \
    AUREOLE_TILES_OF(coulomb, end, Mixing::geometric, true, false)          \
    AUREOLE_TILES_OF(coulomb, end, Mixing::geometric, false, false)         \
    AUREOLE_TILES_OF(coulomb, end, Mixing::lorentz_berthelot, true, false)  \
    AUREOLE_TILES_OF(coulomb, end, Mixing::lorentz_berthelot, false, false) \
    AUREOLE_TILES_OF(coulomb, end, Mixing::table, false, false)             \
    AUREOLE_TILES_OF(coulomb, end, Mixing::table, false, true)
#define AUREOLE_TILES(coulomb)                              \
    AUREOLE_TILES_ENDING(coulomb, VdwEnd::plain)            \
    AUREOLE_TILES_ENDING(coulomb, VdwEnd::potential_switch) \
    AUREOLE_TILES_ENDING(coulomb, VdwEnd::force_switch)     \
                                                            \
    AUREOLE_DEVICE_FOR(aureole::md::ExcludedForces<coulomb, true>)
AUREOLE_TILES(Coulomb::reaction_field)
AUREOLE_TILES(Coulomb::ewald)

AUREOLE_DEVICE_FOR(aureole::md::SetFillers)
AUREOLE_DEVICE_REDUCE(aureole::md::PairSums, aureole::device::Sum,
                      aureole::md::SumsOfBlocks<aureole::md::PairSums>)
AUREOLE_DEVICE_REDUCE(aureole::md::NonbondedPairSums, aureole::device::Sum,
                      aureole::md::SumsOfBlocks<aureole::md::NonbondedPairSums>)
