// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/random.hpp"

namespace aureole::md {

struct BussiInput {
    double kinetic;  ///< kinetic energy now
    double dof;      ///< degrees of freedom
    double kT;
    double ratio;  ///< time since the last rescaling over the relaxation time
    std::uint64_t seed, step;
    std::uint32_t group = 0;
};

/// A gamma variate of the given shape ≥ 1 (Marsaglia & Tsang, ACM TOMS 26, 363 (2000)).
AUREOLE_FN double gamma_variate(core::Random& random, double shape) {
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
        const double x = random.normal();
        const double root = 1 + c * x, v = root * root * root;
        if (v <= 0) continue;
        if (std::log(random.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

/// Sum of n squared standard normal numbers.
AUREOLE_FN double chi_squared(core::Random& random, double n) {
    if (n < 1) return 0;
    if (n < 2) {
        const double x = random.normal();
        return x * x;
    }
    return 2 * gamma_variate(random, n / 2);
}

/// Factor for all velocities of stochastic velocity rescaling (Bussi, Donadio & Parrinello,
/// J. Chem. Phys. 126, 014101 (2007), eq. A7).
AUREOLE_FN double draw_bussi_factor(const BussiInput& in) {
    if (in.kinetic <= 0 || in.dof < 1) return 1;
    core::Random random(in.seed, core::Stream::bussi, in.step, in.group);
    const double c = std::exp(-in.ratio);
    const double target = in.kT / (2 * in.kinetic);  // (K̄ / n_f) / K
    const double r1 = random.normal();
    const double others = chi_squared(random, in.dof - 1);
    const double square =
        c + (1 - c) * target * (r1 * r1 + others) + 2 * r1 * std::sqrt(c * (1 - c) * target);
    return square > 0 ? std::sqrt(square) : 0;
}

}  // namespace aureole::md
