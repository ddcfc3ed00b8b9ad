// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "device/reduce_ops.hpp"
#include "md/integrate/dense.kernel.hpp"
#include "md/integrate/fire.kernel.hpp"
#include "md/integrate/molecules.kernel.hpp"

AUREOLE_DEVICE_FOR(aureole::md::DecideFire)
AUREOLE_DEVICE_FOR(aureole::md::MixFire<aureole::md::Dense<float>>)
AUREOLE_DEVICE_FOR(aureole::md::MixFire<aureole::md::Dense<double>>)
AUREOLE_DEVICE_FOR(aureole::md::InStepOfFire<aureole::md::HalfKick<aureole::md::Dense<float>>>)
AUREOLE_DEVICE_FOR(aureole::md::InStepOfFire<aureole::md::HalfKick<aureole::md::Dense<double>>>)
AUREOLE_DEVICE_FOR(aureole::md::InStepOfFire<aureole::md::KickDrift<aureole::md::Dense<float>>>)
AUREOLE_DEVICE_FOR(aureole::md::InStepOfFire<aureole::md::KickDrift<aureole::md::Dense<double>>>)
AUREOLE_DEVICE_FOR(aureole::md::InStepOfFire<
                   aureole::md::Move<aureole::md::Dense<float>, aureole::md::NoThermostat>>)
AUREOLE_DEVICE_FOR(aureole::md::InStepOfFire<
                   aureole::md::Move<aureole::md::Dense<double>, aureole::md::NoThermostat>>)

AUREOLE_DEVICE_REDUCE(aureole::md::FireSums, aureole::device::Sum,
                      aureole::md::SumFire<aureole::md::Dense<float>>)
AUREOLE_DEVICE_REDUCE(aureole::md::FireSums, aureole::device::Sum,
                      aureole::md::SumFire<aureole::md::Dense<double>>)
