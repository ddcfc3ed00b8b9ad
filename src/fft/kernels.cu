// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/launch.cuh"
#include "fft/filter.kernel.hpp"

AUREOLE_DEVICE_FOR(aureole::fft::MultiplyMode<float>)
AUREOLE_DEVICE_FOR(aureole::fft::MultiplyMode<double>)
