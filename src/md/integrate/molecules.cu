// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/integrate/box_forms.hpp"
#include "md/integrate/common_motion.kernel.hpp"
#include "md/integrate/dense.kernel.hpp"
#include "md/integrate/list_strain.kernel.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/integrate/pressure.kernel.hpp"

AUREOLE_DEVICE_FOR(aureole::md::Noise)
AUREOLE_DEVICE_FOR(aureole::md::Drift)
AUREOLE_DEVICE_FOR(aureole::md::StopFrozen)
AUREOLE_DEVICE_FOR(aureole::md::StrainPositions)
AUREOLE_DEVICE_FOR(aureole::md::ScaleGroupVelocities)
AUREOLE_DEVICE_FOR(aureole::md::ScaleGroups)
AUREOLE_DEVICE_FOR(aureole::md::Subtract)
AUREOLE_DEVICE_FOR(aureole::md::RemoveRotation)
AUREOLE_DEVICE_FOR(aureole::md::FindCommonMotion)
AUREOLE_DEVICE_FOR(aureole::md::FindFactors)
AUREOLE_DEVICE_FOR(aureole::md::FindNoise)
AUREOLE_DEVICE_FOR(aureole::md::FindKinetics)
AUREOLE_DEVICE_FOR(aureole::md::FindStrain)
AUREOLE_DEVICE_FOR(aureole::md::ChangeBox)
AUREOLE_DEVICE_FOR(aureole::md::SetBoxForms)
AUREOLE_DEVICE_FOR(aureole::md::FindListStrain)
AUREOLE_DEVICE_FOR(aureole::md::FindField)
AUREOLE_DEVICE_FOR(aureole::md::MultiplyByMass)

AUREOLE_DEVICE_FOR(aureole::md::KickDrift<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::KickDrift<aureole::md::Dense<double>>)
AUREOLE_DEVICE_FOR(aureole::md::TryStep<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::TryStep<aureole::md::Dense<double>>)
AUREOLE_DEVICE_FOR(aureole::md::Accelerations<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::Accelerations<aureole::md::Dense<double>>)
AUREOLE_DEVICE_FOR(aureole::md::StoreAndCheck<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::StoreAndCheck<aureole::md::Dense<double>>)
AUREOLE_DEVICE_FOR(aureole::md::AddField<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::AddField<aureole::md::Dense<double>>)
AUREOLE_DEVICE_FOR(aureole::md::ClearForces<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::ClearForces<aureole::md::Dense<double>>)
AUREOLE_DEVICE_FOR(aureole::md::SetForces<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::SetForces<aureole::md::Dense<double>>)

AUREOLE_DEVICE_REDUCE(double, aureole::device::Sum, aureole::md::SumGroup)
AUREOLE_DEVICE_REDUCE(aureole::md::RotationSums, aureole::device::Sum, aureole::md::SumRotation)
