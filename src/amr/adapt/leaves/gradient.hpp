// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/adapt/criterion.hpp"

namespace aureole::amr {

/// How much a field changes from a cell to the next one, relative to itself.
struct Gradient {
    AUREOLE_FN static double value(const Around& u) {
        double squares = 0;
        for (int axis = 0; axis < u.dims; ++axis) {
            const double change = 0.5 * (u.high[axis] - u.low[axis]);
            squares += change * change;
        }
        return squares > 0 ? sqrt(squares) / absolute(u.here) : 0;
    }
};

}  // namespace aureole::amr
