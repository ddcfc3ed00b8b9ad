// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/adapt/criterion.hpp"

namespace aureole::amr {

/// The second derivative over what the first ones would make of it, between 0 and 1 (Löhner 1987,
/// equation 4, without mixed derivatives; its filter for small waves is 0.01).
struct SecondDerivative {
    AUREOLE_FN static double value(const Around& u) {
        constexpr double filter = 0.01;
        double second = 0, first = 0;
        for (int axis = 0; axis < u.dims; ++axis) {
            const double low = u.low[axis], high = u.high[axis];
            const double bend = (high - u.here) - (u.here - low);
            const double most = absolute(high - u.here) + absolute(u.here - low) +
                                filter * (absolute(high) + 2 * absolute(u.here) + absolute(low));
            second += bend * bend, first += most * most;
        }
        return first > 0 ? sqrt(second / first) : 0;
    }
};

}  // namespace aureole::amr
