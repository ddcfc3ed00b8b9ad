// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/dispersion_repulsion.hpp"
#include "md/pair/electrostatics.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Dispersion, repulsion and charges, put together at compile time.
template <Coulomb coulomb, VdwEnd end, bool with_energy, class R>
struct NonbondedLaw : DispersionRepulsion<end, with_energy, R>,
                      Electrostatics<coulomb, with_energy, R> {
    template <class T>
    AUREOLE_FN explicit NonbondedLaw(const NonbondedNumbers<T>& n)
        : DispersionRepulsion<end, with_energy, R>(n), Electrostatics<coulomb, with_energy, R>(n) {}
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
