// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/hydro/numbers.hpp"
#include "amr/mesh.hpp"

namespace aureole::amr {

/// Piecewise linear, with the smaller of both slopes where they have one sign (Roe 1986).
struct Minmod {
    static constexpr int halo = 2;

    /// Values at the low and high face of the cell w[0], from its neighbours w[-1] and w[1].
    template <class N>
    AUREOLE_FN static void cell(const N* w, N& low, N& high) {
        const N below = w[0] - w[-1], above = w[1] - w[0];
        const N smaller_one = select(absolute(below) < absolute(above), below, above);
        const N half = select(N(0.0) < below * above, N(0.5) * smaller_one, N(0.0));
        low = w[0] - half;
        high = w[0] + half;
    }

    /// Values at the faces of cells −1 to 8 of a line; w[0] is cell −halo.
    template <class N>
    AUREOLE_FN static void line(const N* w, N* low, N* high) {
        for (int k = 0; k < edge + 2; ++k) cell(w + k + 1, low[k], high[k]);
    }
};

}  // namespace aureole::amr
