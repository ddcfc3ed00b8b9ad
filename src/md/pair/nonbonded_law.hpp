// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/dispersion_repulsion.hpp"
#include "md/pair/electrostatics.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Dispersion, repulsion and charges, put together at compile time.
template <Coulomb coulomb, VdwEnd end, bool with_energy, class R,
          MeshBy mesh_by = MeshBy::cubics_if_any>
struct NonbondedLaw : DispersionRepulsion<end, with_energy, R>,
                      Electrostatics<coulomb, with_energy, R, mesh_by> {
    template <class T>
    AUREOLE_FN explicit NonbondedLaw(const NonbondedNumbers<T>& n)
        : DispersionRepulsion<end, with_energy, R>(n),
          Electrostatics<coulomb, with_energy, R, mesh_by>(n) {}
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
