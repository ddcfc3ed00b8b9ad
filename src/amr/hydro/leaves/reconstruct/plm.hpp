// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/hydro/numbers.hpp"
#include "amr/mesh.hpp"

namespace aureole::amr {

/// Piecewise linear, with the harmonic mean of both slopes (van Leer 1974).
struct Plm {
    static constexpr int halo = 2;

    /// Values at the low and high faces of cells −1 to 8 of a line; w[0] is cell −halo.
    template <class N>
    AUREOLE_FN static void line(const N* w, N* low, N* high) {
        N below = w[1] - w[0];
        for (int k = 0; k < edge + 2; ++k) {
            const N here = w[k + 1], above = w[k + 2] - here, product = below * above;
            const N half = select(N(0.0) < product, product / (below + above), N(0.0));
            low[k] = here - half;
            high[k] = here + half;
            below = above;
        }
    }
};

}  // namespace aureole::amr
