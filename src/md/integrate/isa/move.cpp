// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/move.kernel.hpp"

namespace aureole::md::AUREOLE_ISA {

MoveKernels move_kernels();
MoveKernels move_kernels() { return {&move_clusters<float>, &move_clusters<double>}; }

}  // namespace aureole::md::AUREOLE_ISA
