// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/pair/flat_nonbonded.kernel.hpp"

using aureole::md::Coulomb;
using aureole::md::Mixing;
using aureole::md::VdwEnd;

#define AUREOLE_NONBONDED_OF(coulomb, end, mixing)                                            \
    AUREOLE_DEVICE_TEAM(                                                                      \
        aureole::md::FlatNonbondedForce<coulomb, end, aureole::md::StatedRule<mixing>, false, \
                                        float>)                                               \
    AUREOLE_DEVICE_TEAM(                                                                      \
        aureole::md::FlatNonbondedForce<coulomb, end, aureole::md::StatedRule<mixing>, true,  \
                                        float>)                                               \
    AUREOLE_DEVICE_TEAM(                                                                      \
        aureole::md::FlatNonbondedForce<coulomb, end, aureole::md::StatedRule<mixing>, false, \
                                        double>)                                              \
    AUREOLE_DEVICE_TEAM(                                                                      \
        aureole::md::FlatNonbondedForce<coulomb, end, aureole::md::StatedRule<mixing>, true,  \
                                        double>)
#define AUREOLE_NONBONDED_ENDING(coulomb, end)                    \
    AUREOLE_NONBONDED_OF(coulomb, end, Mixing::geometric)         \
    AUREOLE_NONBONDED_OF(coulomb, end, Mixing::lorentz_berthelot) \
    AUREOLE_NONBONDED_OF(coulomb, end, Mixing::table)
#define AUREOLE_NONBONDED(coulomb)                              \
    AUREOLE_NONBONDED_ENDING(coulomb, VdwEnd::plain)            \
    AUREOLE_NONBONDED_ENDING(coulomb, VdwEnd::potential_switch) \
    AUREOLE_NONBONDED_ENDING(coulomb, VdwEnd::force_switch)
AUREOLE_NONBONDED(Coulomb::reaction_field)
AUREOLE_NONBONDED(Coulomb::ewald)

AUREOLE_DEVICE_FOR(aureole::md::TakeNonbondedSums)
AUREOLE_DEVICE_FOR(aureole::md::SetOwnNumbers<float>)
AUREOLE_DEVICE_FOR(aureole::md::SetOwnNumbers<double>)
AUREOLE_DEVICE_REDUCE(double, aureole::device::Sum, aureole::md::SquareOfCharge<float>)
AUREOLE_DEVICE_REDUCE(double, aureole::device::Sum, aureole::md::SquareOfCharge<double>)
AUREOLE_DEVICE_REDUCE(aureole::md::NonbondedPairSums, aureole::device::Sum,
                      aureole::md::ReadNonbondedSums)
