// SPDX-License-Identifier: Apache-2.0
#include "fft/grid.kernel.hpp"

namespace aureole::fft::AUREOLE_ISA {

FftKernels fft_kernels();
FftKernels fft_kernels() { return {grid_kernels<float>(), grid_kernels<double>()}; }

}  // namespace aureole::fft::AUREOLE_ISA
