// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/hydro/numbers.hpp"
#include "amr/mesh.hpp"

namespace aureole::amr {

/// Piecewise parabolic, with limiters that keep smooth extrema (Colella & Sekora 2008), and their
/// guard against rounding (McCorquodale & Colella 2011, section 2.4.1).
struct Ppm {
    static constexpr int halo = 3;

    /// Values at the low and high face of the cell w[0], from two neighbours on each side.
    template <class N>
    AUREOLE_FN static void cell(const N* w, N& low, N& high) {
        limit(w, at_face(w - 2), at_face(w - 1), low, high);
    }

    /// Values at the faces of cells −1 to 8 of a line, which share them; w[0] is cell −halo.
    template <class N>
    AUREOLE_FN static void line(const N* w, N* low, N* high) {
        N face = at_face(w);
        for (int k = 0; k < edge + 2; ++k) {
            const N next = at_face(w + k + 1);
            limit(w + k + 2, face, next, low[k], high[k]);
            face = next;
        }
    }

  private:
    /// Factor by which a second derivative of the parabola may exceed those of cells.
    static constexpr double excess = 1.25;
    /// Differences below this, relative to the values, are rounding.
    static constexpr double rounding = 1e-12;

    template <class N>
    AUREOLE_FN static N second_difference(const N* w) {
        return (w[-1] + w[1]) - N(2.0) * w[0];
    }

    /// The value at the face between w[1] and w[2], by the four cells around it.
    template <class N>
    AUREOLE_FN static N at_face(const N* w) {
        const N mean = N(0.5) * (w[1] + w[2]);
        const N value = N(7.0 / 12) * (w[1] + w[2]) - N(1.0 / 12) * (w[0] + w[3]);
        // Outside of its neighbours: a limited second derivative at the face (eq. 13, 14).
        const N curvature = N(3.0) * ((w[1] + w[2]) - N(2.0) * value);
        const N below = second_difference(w + 1), above = second_difference(w + 2);
        N bound =
            smaller(absolute(curvature), N(excess) * smaller(absolute(below), absolute(above)));
        bound = select((N(0.0) < curvature * below) & (N(0.0) < curvature * above), bound, N(0.0));
        const N limited = mean - N(1.0 / 6) * select(curvature < N(0.0), -bound, bound);
        return select((value - w[1]) * (w[2] - value) < N(0.0), limited, value);
    }

    /// Both values of the cell w[0] from those at its faces (eq. 20 to 26).
    template <class N>
    AUREOLE_FN static void limit(const N* w, N face, N next, N& low, N& high) {
        const N down = w[0] - face, up = next - w[0];
        const auto monotone = (N(0.0) < down * up) & (N(0.0) < (w[0] - w[-1]) * (w[1] - w[0]));
        // Without an extremum: a parabola that is monotone inside the cell.
        const N twice_up = N(2.0) * up, twice_down = N(2.0) * down;
        const N steep_down = select(absolute(twice_up) < absolute(down), twice_up, down);
        const N steep_up = select(absolute(twice_down) < absolute(up), twice_down, up);
        // With one: the parabola is flattened as far as its second derivative is too large.
        const N curvature = N(6.0) * ((face + next) - N(2.0) * w[0]);
        const N below = second_difference(w - 1), here = second_difference(w),
                above = second_difference(w + 1);
        const N size = absolute(curvature);
        const N least = smaller(absolute(here), smaller(absolute(below), absolute(above)));
        N ratio = smaller(size, N(excess) * least) / size;
        ratio = select((N(0.0) < curvature * here) & (N(0.0) < curvature * below) &
                           (N(0.0) < curvature * above),
                       ratio, N(0.0));
        const N most = larger(absolute(w[0]), larger(larger(absolute(w[-1]), absolute(w[1])),
                                                     larger(absolute(w[-2]), absolute(w[2]))));
        ratio = select(N(rounding) * most < size, ratio, N(0.0));
        low = w[0] - select(monotone, steep_down, ratio * down);
        high = w[0] + select(monotone, steep_up, ratio * up);
    }
};

}  // namespace aureole::amr
