// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/adapt/criterion.hpp"

namespace aureole::amr {

/// The largest change of a field between neighbours, relative to both.
struct Steepness {
    AUREOLE_FN static double value(const Around& u) {
        double most = 0;
        for (int axis = 0; axis < u.dims; ++axis) {
            const double sides[] = {u.low[axis], u.high[axis]};
            for (const double side : sides) {
                const double sum = absolute(side) + absolute(u.here);
                if (sum > 0) most = larger(most, absolute(side - u.here) / sum);
            }
        }
        return most;
    }
};

}  // namespace aureole::amr
