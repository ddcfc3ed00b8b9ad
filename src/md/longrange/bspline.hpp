// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/macros.hpp"

namespace aureole::md {

inline constexpr int least_order = 4, most_order = 8;

/// Cardinal B-splines as the window between particles and mesh (Essmann et al., J. Chem. Phys. 103
/// (1995) 8577, section 3): a particle at distance u in [0, 1) behind mesh point i gives the weight
/// w[j] = M_order(order − 1 − j + u) to point i + j; slope[j] is its derivative by u.
template <int order>
struct BSplineWindow {
    template <class R>
    AUREOLE_FN static void weights(R u, R* w, R* slope) {
        w[0] = R(1) - u, w[1] = u;
        raise_to<order - 1>(u, w);
        // d/du M_n(t) = M_{n−1}(t) − M_{n−1}(t − 1), their equation 4.2
        if (slope != nullptr) {
            slope[0] = R(0) - w[0];
            AUREOLE_UNROLL for (int j = 1; j < order - 1; ++j) slope[j] = w[j - 1] - w[j];
            slope[order - 1] = w[order - 2];
        }
        raise<order>(u, w);
    }

  private:
    template <int k, class R>
    AUREOLE_FN static void raise_to(R u, R* w) {
        if constexpr (k > 2) {
            raise_to<k - 1>(u, w);
            raise<k>(u, w);
        }
    }
    /// M_k from M_{k−1} (their equation 4.1).
    template <int k, class R>
    AUREOLE_FN static void raise(R u, R* w) {
        const R scale(1.0 / (k - 1));
        w[k - 1] = scale * u * w[k - 2];
        AUREOLE_UNROLL for (int j = k - 2; j > 0; --j) {
            w[j] = scale * ((u + R(double(k - 1 - j))) * w[j - 1] + (R(double(j + 1)) - u) * w[j]);
        }
        w[0] = scale * (R(1) - u) * w[0];
    }
};

/// [n] squares of the magnitudes of the Euler splines' factors |b(k)|² (their equation 4.4): which
/// correct for the window in the spectrum of a line of n mesh points.
std::vector<double> spline_moduli(int order, int n);

}  // namespace aureole::md
