// SPDX-License-Identifier: Apache-2.0
#include "md/longrange/bspline.hpp"

#include <cmath>
#include <numbers>

namespace aureole::md {

namespace {

/// M_order at whole numbers: [order] for 1, 2, …, order (the last is 0).
std::vector<double> spline_at_points(int order) {
    std::vector<double> m(static_cast<std::size_t>(order), 0.0);
    m[0] = 1;  // M_2 at 1 and 2
    for (int k = 3; k <= order; ++k)
        for (int t = k - 1; t >= 1; --t)
            m[t - 1] = (t * m[t - 1] + (t > 1 ? (k - t) * m[t - 2] : 0.0)) / (k - 1);
    return m;
}

}  // namespace

std::vector<double> spline_moduli(int order, int n) {
    const auto m = spline_at_points(order);
    std::vector<double> moduli(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) {
        double re = 0, im = 0;
        for (int j = 0; j < order - 1; ++j) {
            const double angle = 2 * std::numbers::pi * double(std::int64_t{j} * k % n) / n;
            re += m[j] * std::cos(angle), im += m[j] * std::sin(angle);
        }
        moduli[k] = re * re + im * im;
    }
    // Splines of odd order vanish at the Nyquist mode; its neighbours are used instead.
    for (int k = 0; k < n; ++k)
        if (moduli[k] < 1e-7) moduli[k] = 0.5 * (moduli[(k + n - 1) % n] + moduli[(k + 1) % n]);
    for (double& b : moduli) b = 1 / b;
    return moduli;
}

}  // namespace aureole::md
