// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/external/external.hpp"

namespace aureole::md::externals {

struct CosineField {
    static constexpr const char* words =
        "A standing wave that acts on dipoles, U = -amplitude dipole cos(2 pi x / period).";
    static constexpr Parameter parameters[] = {
        {"amplitude", "energy/dipole", "strength"},
        {"period", "length", "length of the wave", 1},
    };
    using dipole = column::user<"dipole", "dipole">;
    using reads = column::Columns<dipole>;

    static const char* problem(const std::array<double, 2>& p, const core::Box&) {
        return p[1] > 0 ? nullptr : "period must be positive";
    }
    static Coefficients<double, 2> coefficients(const std::array<double, 2>& p) {
        return {p[0], 6.283185307179586 / p[1]};
    }
    template <class R>
    AUREOLE_FN static R energy(const core::Vec3<R>& r,
                               const ExternalParticle<CosineField>& particle,
                               const Coefficients<double, 2>& c) {
        return -c[0] * particle[dipole{}] * cos(c[1] * r.x);
    }
};

}  // namespace aureole::md::externals
