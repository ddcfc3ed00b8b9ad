// SPDX-License-Identifier: Apache-2.0
#include "amr/step/schedule.hpp"

#include "amr/hydro/leaves.hpp"
#include "core/error.hpp"
#include "device/copy.hpp"

namespace aureole::amr {

std::vector<double> weights(int stages) {
    if (stages == 2) return {1, 1.0 / 2};
    if (stages == 3) return {1, 1.0 / 4, 2.0 / 3};
    throw core::InputError(
        "there is no time integration with " + std::to_string(stages) + " stages",
        "Runge-Kutta methods here have two or three", "Choose rk2 or rk3.");
}

void Copies::put(device::Buffer<double> conserved) {
    if (conserved.resource() == resource_)
        all_[current] = std::move(conserved);
    else
        device::copy(queue_, state().view(), conserved.view());
}

int halo_of(const Scheme& scheme) {
    return with_reconstruction(scheme.reconstruct, [](auto leaf) { return leaf.halo; });
}

}  // namespace aureole::amr
