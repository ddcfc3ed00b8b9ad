// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/limits.kernel.hpp"
#include "md/integrate/move.kernel.hpp"

namespace aureole::md::AUREOLE_ISA {

MoveKernels move_kernels();
MoveKernels move_kernels() {
    return {{&move_clusters<float, false>, &move_clusters<float, true>},
            {&move_clusters<double, false>, &move_clusters<double, true>},
            &add_noise,
            &renew_limits<float>,
            &renew_limits<double>};
}

}  // namespace aureole::md::AUREOLE_ISA
