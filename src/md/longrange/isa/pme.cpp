// SPDX-License-Identifier: Apache-2.0
#include "md/longrange/pme.kernel.hpp"

namespace aureole::md::AUREOLE_ISA {

PmeKernels pme_kernels();
PmeKernels pme_kernels() { return {pme_table<float>(), pme_table<double>()}; }

}  // namespace aureole::md::AUREOLE_ISA
