// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "md/leaf/leaf.hpp"

// How potentials end between a switching radius and the cut-off, as GROMACS' reference manual
// defines it in "Modified interactions"; the ends that leaves of one potential have stand in
// potential.hpp.
namespace aureole::md {

/// S = 1 + d³ (s₃ + s₄ d + s₅ d²) of d = r − r_switch, which multiplies a potential.
template <class T>
struct PotentialSwitch {
    T start, third, fourth, fifth;

    static PotentialSwitch between(T from, T to) {
        const T width = to - from;
        return {from, -10 / std::pow(width, 3), 15 / std::pow(width, 4), -6 / std::pow(width, 5)};
    }
    template <class U>
    AUREOLE_FN PotentialSwitch<U> as() const {
        return {U(start), U(third), U(fourth), U(fifth)};
    }
    /// Switches an energy and a force times its distance.
    AUREOLE_FN void apply(T r, T& energy, T& force_r) const {
        const T d = max(r - start, T(0)), d2 = d * d;
        const T s = fma(d2 * d, fma(d, fma(d, fifth, fourth), third), T(1));
        const T slope = d2 * fma(d, fma(d, T(5) * fifth, T(4) * fourth), T(3) * third);
        force_r = force_r * s - energy * slope * r;
        energy = energy * s;
    }
};

/// Polynomials in d = r − r_switch that take the force of a power law r⁻ᵃ to zero.
template <class T>
struct SwitchedPower {
    T square, cube;  ///< of the force, in parts of a
    T constant;      ///< of the energy, in parts of a

    static SwitchedPower between(T a, T from, T to) {
        const T width = to - from, scale = std::pow(to, -(a + 2));
        const T square = -((a + 4) * to - (a + 1) * from) * scale / (width * width);
        const T cube = ((a + 3) * to - (a + 1) * from) * scale / (width * width * width);
        const T constant = std::pow(to, -a) - a * square / 3 * std::pow(width, 3) -
                           a * cube / 4 * std::pow(width, 4);
        return {square, cube, constant / a};
    }
    template <class U>
    AUREOLE_FN SwitchedPower<U> as() const {
        return {U(square), U(cube), U(constant)};
    }
    /// Part added to the force times its distance, at d = r − r_switch or 0.
    AUREOLE_FN T added_force(T r, T d) const { return r * (d * d) * fma(d, cube, square); }
    /// Part taken off the energy.
    AUREOLE_FN T taken_energy(T d) const {
        return d * d * d * fma(d, T(0.25) * cube, T(1.0 / 3) * square) + constant;
    }
};

}  // namespace aureole::md
