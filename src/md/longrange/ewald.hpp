// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "core/box.hpp"
#include "core/macros.hpp"
#include "md/neighbor/cluster_job.hpp"

// Ewald's sum, split by a Gaussian: 1/r = erfc(βr)/r, summed over pairs by the pair kernel, plus
// erf(βr)/r, summed over wave vectors. Energies are multiples of the Coulomb factor f = 1/(4πε₀).
namespace aureole::md {

/// How 1/r is split: the part of the mesh, in terms of the square of a wave vector m (in waves
/// per length, without 2π). Another split has the same members.
struct GaussianSplit {
    double beta;  ///< [1/length]

    /// exp(−π²m²/β²)/m²
    AUREOLE_FN double reciprocal(double m2) const { return std::exp(-decay() * m2) / m2; }
    /// −d ln reciprocal/d m²: (1 + π²m²/β²)/m²
    AUREOLE_FN double slope(double m2) const { return 1 / m2 + decay(); }

  private:
    AUREOLE_FN double decay() const { return std::numbers::pi * std::numbers::pi / (beta * beta); }
};

/// Sums over the charges that Ewald's constant terms need.
struct ChargeSums {
    double charge = 0, square = 0;
    AUREOLE_FN friend ChargeSums operator+(const ChargeSums& a, const ChargeSums& b) {
        return {a.charge + b.charge, a.square + b.square};
    }
};

/// β for which erfc(β r_cut) is the tolerance, as GROMACS' ewald-rtol.
double ewald_beta(double r_cut, double tolerance);

/// The energy of each charge with its own Gaussian, −f β/√π Σ q²; no force.
AUREOLE_FN double self_energy(double coulomb, double beta, const ChargeSums& sums) {
    return -coulomb * beta * std::numbers::inv_sqrtpi * sums.square;
}

/// A net charge Q sits in a uniform background of −Q: energy −f π Q²/(2 V β²), and as that goes
/// with 1/V, the same as each diagonal element of the virial.
AUREOLE_FN EnergyVirial background_energy(double coulomb, double beta, const ChargeSums& sums,
                                          double volume) {
    const double e =
        -coulomb * std::numbers::pi * sums.charge * sums.charge / (2 * volume * beta * beta);
    return {e, {e, e, e, 0, 0, 0}};
}

/// Expected r.m.s. error of the forces from cutting the pair sum (J. Kolafa, J. W. Perram, Mol.
/// Simul. 9 (1992) 351, equation 18) for n charges at random positions.
double pair_force_error(double coulomb, double beta, double r_cut, const ChargeSums& sums, double n,
                        double volume);

}  // namespace aureole::md
