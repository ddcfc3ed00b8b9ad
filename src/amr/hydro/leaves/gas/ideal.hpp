// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/hydro/numbers.hpp"

namespace aureole::amr {

/// An ideal gas: p = (γ − 1) ρe.
struct Ideal {
    double gamma = 1.4;

    /// From density and internal energy per volume.
    template <class N>
    AUREOLE_FN N pressure(N, N energy) const {
        return N(gamma - 1) * energy;
    }
    /// Internal energy per volume.
    template <class N>
    AUREOLE_FN N energy(N, N pressure) const {
        return pressure * N(1 / (gamma - 1));
    }
    template <class N>
    AUREOLE_FN N sound_speed(N density, N pressure) const {
        return sqrt(N(gamma) * pressure / density);
    }
};

}  // namespace aureole::amr
