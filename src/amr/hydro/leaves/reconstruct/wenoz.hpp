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
        const N z_low = excess(differ, beyond_low + least),
                z_middle = excess(differ, middle + least),
                z_high = excess(differ, beyond_high + least);
        low = at_face(w[2], w[1], w[0], w[-1], w[-2], z_high, z_middle, z_low);
        high = at_face(w[-2], w[-1], w[0], w[1], w[2], z_low, z_middle, z_high);
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
    /// At the face between c and d, of five cells in a row; each parabola differs from c.
    template <class N>
    AUREOLE_FN static N at_face(N a, N b, N c, N d, N e, N z_before, N z_middle, N z_behind) {
        const N before = N(2.0) * (a - c) - N(7.0) * (b - c), middle = N(2.0) * (d - c) - (b - c),
                behind = N(5.0) * (d - c) - (e - c);
        const N of_before = N(0.1) * z_before, of_middle = N(0.6) * z_middle,
                of_behind = N(0.3) * z_behind;
        return c + (of_before * before + of_middle * middle + of_behind * behind) /
                       (N(6.0) * (of_before + of_middle + of_behind));
    }
};

}  // namespace aureole::amr
