// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/hydro/numbers.hpp"
#include "amr/hydro/state.hpp"

namespace aureole::amr {

/// Both fluxes, less the jump times the faster of the two outer waves: llf with other speeds.
struct OneSpeed {
    /// The flux through a face between two primitive states, whose first velocity is the normal
    /// one.
    template <class N, class Gas>
    AUREOLE_FN static void flux(const Gas& gas, const N* left, const N* right, N* to) {
        const auto speeds = signal_speeds(gas, left, right);
        const N fastest = larger(absolute(speeds.slowest), absolute(speeds.fastest));
        N u_left[fields], u_right[fields], f_left[fields], f_right[fields];
        to_conserved(gas, left, u_left), to_conserved(gas, right, u_right);
        flux_of(left, u_left, f_left), flux_of(right, u_right, f_right);
        for (int f = 0; f < fields; ++f)
            to[f] = N(0.5) * ((f_left[f] + f_right[f]) - fastest * (u_right[f] - u_left[f]));
    }
};

}  // namespace aureole::amr
