// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/integrate/constraints/lanes.kernel.hpp"
#include "md/integrate/constraints/localise.kernel.hpp"
#include "md/integrate/constraints/molecule_slots.kernel.hpp"
#include "md/integrate/dense.kernel.hpp"

AUREOLE_DEVICE_FOR(aureole::md::GroupKeys)
AUREOLE_DEVICE_FOR(aureole::md::LocaliseGroups)

AUREOLE_DEVICE_FOR(aureole::md::AddPass)
AUREOLE_DEVICE_FOR(aureole::md::MeasureLength)
AUREOLE_DEVICE_FOR(aureole::md::JudgeConstraints)
AUREOLE_DEVICE_FOR(aureole::md::SettleLane<false>)
AUREOLE_DEVICE_FOR(aureole::md::SettleLane<true>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Star<1>, false>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Star<1>, true>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Star<2>, false>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Star<2>, true>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Star<3>, false>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Star<3>, true>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Star<4>, false>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Star<4>, true>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Triangle, false>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Triangle, true>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Tetrahedron, false>)
AUREOLE_DEVICE_FOR(aureole::md::GroupLane<aureole::md::Tetrahedron, true>)
AUREOLE_DEVICE_FOR(aureole::md::MoveMolecules<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::MoveMolecules<aureole::md::Dense<double>>)
AUREOLE_DEVICE_TEAM(aureole::md::RegionTeam)
AUREOLE_DEVICE_TEAM(aureole::md::FinishRegion)

AUREOLE_DEVICE_REDUCE(aureole::md::ConstraintSums, aureole::device::Sum,
                      aureole::md::ReadConstraintSums)
AUREOLE_DEVICE_REDUCE(aureole::md::Deviations, aureole::device::Sum, aureole::md::MeasureConstraint)
AUREOLE_DEVICE_REDUCE(double, aureole::device::Max, aureole::md::MeasureRate)
