// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/reactions.kernel.hpp"

namespace aureole::md::AUREOLE_ISA {

ReactionKernels reaction_kernels();
ReactionKernels reaction_kernels() { return {reaction_kernel<float>(), reaction_kernel<double>()}; }

}  // namespace aureole::md::AUREOLE_ISA
