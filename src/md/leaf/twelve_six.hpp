// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/leaf/leaf.hpp"

namespace aureole::md {

using core::fms;
template <class R>
AUREOLE_FN core::Dual<R> fms(core::Dual<R> a, core::Dual<R> b, core::Dual<R> c) {
    return a * b - c;
}

/// Lennard-Jones' law in s = r⁻⁶, for all kernels of pairs and for chosen pairs: with the weight s
/// the energy C₁₂ s² − C₆ s; with 12 C₁₂ and 6 C₆ in their places the force times the distance, and
/// with the weight s r⁻² the force over the distance.
template <class R>
AUREOLE_FN R twelve_six(R s6, R c12, R c6, R weight) {
    return weight * fms(c12, s6, c6);
}

}  // namespace aureole::md
