// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/hydro/numbers.hpp"
#include "amr/hydro/state.hpp"

namespace aureole::amr {

/// HLL with the wave speeds of Einfeldt (1988): two waves without a contact between them. It keeps
/// strong shocks along the mesh free of the instabilities that HLLC has there (Quirk 1994).
/// Mirrored states give the mirrored flux to the bit.
struct Hlle {
    /// The flux through a face between two primitive states, whose first velocity is the normal
    /// one.
    template <class N, class Gas>
    AUREOLE_FN static void flux(const Gas& gas, const N* left, const N* right, N* to) {
        const auto [slowest, fastest] = signal_speeds(gas, left, right);
        const N back = smaller(slowest, N(0.0)), ahead = larger(fastest, N(0.0));
        const N scale = N(1.0) / (ahead - back), both = ahead * back;
        N u_left[fields], u_right[fields], f_left[fields], f_right[fields];
        to_conserved(gas, left, u_left), to_conserved(gas, right, u_right);
        flux_of(left, u_left, f_left), flux_of(right, u_right, f_right);
        for (int f = 0; f < fields; ++f)
            to[f] =
                ((ahead * f_left[f] - back * f_right[f]) + both * (u_right[f] - u_left[f])) * scale;
    }
};

}  // namespace aureole::amr
