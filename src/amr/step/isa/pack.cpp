// SPDX-License-Identifier: Apache-2.0
#include "amr/step/pack.kernel.hpp"

namespace aureole::amr::AUREOLE_ISA {

PackKernels pack_kernels();

namespace {

#define AUREOLE_RECONSTRUCT(Leaf, name) &reconstruct_line<Leaf>,
#define AUREOLE_FLUX(Leaf, name) &flux_line<Leaf>,

ReconstructLine reconstruction(int place) {
    constexpr ReconstructLine all[] = {AUREOLE_RECONSTRUCTIONS(AUREOLE_RECONSTRUCT)};
    return all[place];
}

FluxLine riemann(int place) {
    constexpr FluxLine all[] = {AUREOLE_RIEMANN_SOLVERS(AUREOLE_FLUX)};
    return all[place];
}

void stage(const PackStage& stage, ReconstructLine reconstruct, FluxLine fluxes, std::int64_t group,
           double* scratch) {
    StageOfGroup(stage, group, scratch).make(reconstruct, fluxes);
}

}  // namespace

PackKernels pack_kernels() { return {&reconstruction, &riemann, &stage, &halos_of_face}; }

}  // namespace aureole::amr::AUREOLE_ISA
