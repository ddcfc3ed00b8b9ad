// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/adapt/criterion.hpp"

namespace aureole::amr {

/// The field itself.
struct Threshold {
    AUREOLE_FN static double value(const Around& u) { return u.here; }
};

}  // namespace aureole::amr
