// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "device/processor/shared_library.hpp"

// The vendor's library of transforms, opened when the first plan is made: what does not use a mesh
// runs without it.
//
//   Plan, Result, Stream, success; r2c, c2r, d2z, z2d: kinds of transforms
//   modes()    complex numbers as the library names them
//   Library    its seven functions

#if defined(AUREOLE_GPU_EMULATED)
#include "fft/gpu/emulated.hpp"
#elif defined(AUREOLE_GPU_HIP)
#include "fft/gpu/hip.hpp"
#else
#include "fft/gpu/cuda.hpp"
#endif
