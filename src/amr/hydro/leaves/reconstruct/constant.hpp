// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/mesh.hpp"

namespace aureole::amr {

/// Piecewise constant (Godunov 1959): of first order, for what must not overshoot.
struct Constant {
    static constexpr int halo = 1;

    /// Values at the low and high face of the cell w[0].
    template <class N>
    AUREOLE_FN static void cell(const N* w, N& low, N& high) {
        low = high = w[0];
    }

    /// Values at the faces of cells −1 to 8 of a line; w[0] is cell −halo.
    template <class N>
    AUREOLE_FN static void line(const N* w, N* low, N* high) {
        for (int k = 0; k < edge + 2; ++k) cell(w + k, low[k], high[k]);
    }
};

}  // namespace aureole::amr
