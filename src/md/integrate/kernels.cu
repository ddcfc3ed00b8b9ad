// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/integrate/dense.kernel.hpp"
#include "md/integrate/displacement.kernel.hpp"
#include "md/integrate/list_report.kernel.hpp"
#include "md/integrate/motion.kernel.hpp"
#include "md/integrate/motion_counts.kernel.hpp"
#include "md/integrate/read.kernel.hpp"
#include "md/integrate/segment.kernel.hpp"
#include "md/integrate/thermo.kernel.hpp"
#include "md/neighbor/find_bounds.kernel.hpp"

AUREOLE_DEVICE_FOR(aureole::md::Wrap)
AUREOLE_DEVICE_FOR(aureole::md::RemoveDrift)
AUREOLE_DEVICE_FOR(aureole::md::CountStep)
AUREOLE_DEVICE_FOR(aureole::md::BeginSegment)
AUREOLE_DEVICE_FOR(aureole::md::SaveMotion)
AUREOLE_DEVICE_FOR(aureole::md::TakeTwiceKinetic)
AUREOLE_DEVICE_FOR(aureole::md::CountNoiseEnergy)
AUREOLE_DEVICE_FOR(aureole::md::FindDrift)

AUREOLE_DEVICE_FOR(aureole::md::CountSpeeds)
AUREOLE_DEVICE_FOR(aureole::md::CountMotion<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::CountMotion<aureole::md::Dense<double>>)
AUREOLE_DEVICE_FOR(aureole::md::HalfKick<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::HalfKick<aureole::md::Dense<double>>)
AUREOLE_DEVICE_FOR(aureole::md::Move<aureole::md::Dense<float>, aureole::md::NoThermostat>)
AUREOLE_DEVICE_FOR(aureole::md::Move<aureole::md::Dense<double>, aureole::md::NoThermostat>)
AUREOLE_DEVICE_FOR(aureole::md::Move<aureole::md::Dense<float>, aureole::md::LangevinThermostat>)
AUREOLE_DEVICE_FOR(aureole::md::Move<aureole::md::Dense<double>, aureole::md::LangevinThermostat>)
AUREOLE_DEVICE_FOR(aureole::md::StoreAll<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::StoreAll<aureole::md::Dense<double>>)
AUREOLE_DEVICE_FOR(aureole::md::ReadForces<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::ReadForces<aureole::md::Dense<double>>)

AUREOLE_DEVICE_REDUCE(double, aureole::device::Sum,
                      aureole::md::SquareOfForces<aureole::md::Dense<float>>)
AUREOLE_DEVICE_REDUCE(double, aureole::device::Sum,
                      aureole::md::SquareOfForces<aureole::md::Dense<double>>)
AUREOLE_DEVICE_REDUCE(aureole::md::Tag, aureole::device::Min, aureole::md::LostTag)
AUREOLE_DEVICE_REDUCE(double, aureole::device::Max, aureole::md::InverseOfMovingMass)
AUREOLE_DEVICE_REDUCE(aureole::md::MotionSums, aureole::device::Sum, aureole::md::SumMotion)
AUREOLE_DEVICE_REDUCE(aureole::md::ListFacts, aureole::device::Sum,
                      aureole::md::SumListFacts<aureole::md::Dense<float>>)
AUREOLE_DEVICE_REDUCE(aureole::md::ListFacts, aureole::device::Sum,
                      aureole::md::SumListFacts<aureole::md::Dense<double>>)
AUREOLE_DEVICE_TEAM(aureole::md::FindBlockBounds<float, aureole::md::BeginList<float>>)
AUREOLE_DEVICE_TEAM(aureole::md::FindBlockBounds<double, aureole::md::BeginList<double>>)
