// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/variables.hpp"

namespace aureole::md::terms {

struct RangeRestraint {
    static constexpr const char* words =
        "Distance restraint, 0 from low to up1, U(r) = k/2 (r - low)^2 below and k/2 (r - up1)^2 "
        "above, continued linearly beyond up2.";
    static constexpr Parameter parameters[] = {
        {"low", "length", "lower end of the flat range"},
        {"up1", "length", "upper end of the flat range"},
        {"up2", "length", "distance from which the force is constant"},
        {"k", "energy/length^2", "force constant"},
    };
    using variable = Distance;

    static constexpr const char* problem(const std::array<double, 4>& p, const TermConstants&) {
        return p[0] <= p[1] && p[1] <= p[2] ? nullptr : "low <= up1 <= up2 is required";
    }
    template <class R>
    AUREOLE_FN static R energy(R r, const Coefficients<R, 4>& c) {
        const R d = bent(r, c);
        return c[3] * d * (R(0.5) * d + max(r - c[2], R(0)));
    }
    template <class R>
    AUREOLE_FN static R slope(R r, const Coefficients<R, 4>& c) {
        return c[3] * bent(r, c);
    }

  private:
    /// Distance out of the range, up to where the line begins.
    template <class R>
    AUREOLE_FN static R bent(R r, const Coefficients<R, 4>& c) {
        return outside(r, c[0], c[1]) - max(r - c[2], R(0));
    }
};

}  // namespace aureole::md::terms
