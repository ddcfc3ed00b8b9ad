// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/constraints/packs.kernel.hpp"

namespace aureole::md::AUREOLE_ISA {

ConstraintKernels constraint_kernels();
ConstraintKernels constraint_kernels() { return {&constrain<false>, &constrain<true>}; }

}  // namespace aureole::md::AUREOLE_ISA
