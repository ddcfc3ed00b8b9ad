// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dual.hpp"

// Functions of dual numbers that pair potentials do without, and packs have not.
namespace aureole::core {

AUREOLE_FN Dual<double> cos(Dual<double> a) {
    return {std::cos(a.value), -std::sin(a.value) * a.slope};
}
AUREOLE_FN Dual<double> sin(Dual<double> a) {
    return {std::sin(a.value), std::cos(a.value) * a.slope};
}
AUREOLE_FN Dual<double> log(Dual<double> a) { return {std::log(a.value), a.slope / a.value}; }
AUREOLE_FN Dual<double> tanh(Dual<double> a) {
    const double t = std::tanh(a.value);
    return {t, (1 - t * t) * a.slope};
}

}  // namespace aureole::core
