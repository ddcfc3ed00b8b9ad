// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/hydro/numbers.hpp"
#include "amr/mesh.hpp"

namespace aureole::amr {

/// Weighted essentially non-oscillatory, of fifth order, with the weights Z (Borges et al. 2008).
struct Wenoz {
    static constexpr int halo = 3;

    /// Values at the low and high face of the cell w[0], from two neighbours on each side.
    template <class N>
    AUREOLE_FN static void cell(const N* w, N& low, N& high) {
        // Smoothness of the three parabolas (eq. 8), times 12.
        const N beyond_low =
            roughness((w[-2] + w[0]) - N(2.0) * w[-1], (w[-2] + N(3.0) * w[0]) - N(4.0) * w[-1]);
        const N middle = roughness((w[-1] + w[1]) - N(2.0) * w[0], w[1] - w[-1]);
        const N beyond_high =
            roughness((w[2] + w[0]) - N(2.0) * w[1], (w[2] + N(3.0) * w[0]) - N(4.0) * w[1]);
        // Their ratios to the difference of the outer two (eq. 25), without units: the least is
        // relative to the largest.
        const N differ = absolute(beyond_low - beyond_high);
        const N least = N(1e-40) * (larger(beyond_low, beyond_high) + middle) + N(1e-300);
        const N z[] = {excess(differ, beyond_low + least), excess(differ, middle + least),
                       excess(differ, beyond_high + least)};
        const N back[] = {z[2], z[1], z[0]}, cells[] = {w[2], w[1], w[0], w[-1], w[-2]};
        low = at_face(cells + 2, back);
        high = at_face(w, z);
    }

    /// Values at the faces of cells −1 to 8 of a line; w[0] is cell −halo.
    template <class N>
    AUREOLE_FN static void line(const N* w, N* low, N* high) {
        for (int k = 0; k < edge + 2; ++k) cell(w + k + 2, low[k], high[k]);
    }

  private:
    template <class N>
    AUREOLE_FN static N roughness(N second, N first) {
        return N(13.0) * (second * second) + N(3.0) * (first * first);
    }
    template <class N>
    AUREOLE_FN static N excess(N differ, N roughness) {
        const N ratio = differ / roughness;
        return N(1.0) + ratio * ratio;
    }
    /// At the high face of the cell w[0], with the weights of three parabolas over their best.
    template <class N>
    AUREOLE_FN static N at_face(const N* w, const N* z) {
        const N a = w[-2] - w[0], b = w[-1] - w[0], d = w[1] - w[0], e = w[2] - w[0];
        const N before = N(2.0) * a - N(7.0) * b, middle = N(2.0) * d - b, behind = N(5.0) * d - e;
        const N of_before = N(0.1) * z[0], of_middle = N(0.6) * z[1], of_behind = N(0.3) * z[2];
        return w[0] + (of_before * before + of_middle * middle + of_behind * behind) /
                          (N(6.0) * (of_before + of_middle + of_behind));
    }
};

}  // namespace aureole::amr
