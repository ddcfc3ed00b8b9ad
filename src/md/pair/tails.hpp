// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "md/neighbor/exclusions.hpp"
#include "md/pair/nonbonded.hpp"
#include "md/pair/pair_force.hpp"

namespace aureole::md {

// What lies beyond the cut-off, in a liquid that is uniform there (Allen & Tildesley, 2nd ed.,
// section 2.8).

/// Energy and virial that the cut-offs of one potential leave out; 0 unless its spec asks for them.
EnergyVirial tail_of(const PairForce& force, double volume,
                     const std::vector<std::int64_t>& count_of_type);

/// Quantities that are corrected, for the attraction or (all_…) for the repulsion too. The mean is
/// over the pairs that are not excluded, as in GROMACS, or (of_all_pairs) over all pairs and
/// particles with themselves, as in OpenMM.
enum class TailCorrection {
    none,
    energy,
    energy_and_pressure,
    all_energy,
    all_energy_and_pressure,
    of_all_pairs  ///< all energy and pressure
};

/// Energy and pressure of dispersion (and repulsion) that are left out between particles beyond the
/// cut-off, and by the way in which the potentials end there: with the mean C₆ (and C₁₂) of pairs.
class DispersionTail {
  public:
    DispersionTail() = default;
    /// `types` [n] of particles by tag.
    DispersionTail(TailCorrection wanted, const NonbondedSpec& spec,
                   const std::vector<std::int32_t>& types, const Exclusions& exclusions);

    bool wanted() const { return wanted_ != TailCorrection::none; }
    AUREOLE_FN EnergyVirial at(double volume) const {
        EnergyVirial out;
        const double density = particles_ / volume;
        double virial = 0;
        for (const Power& power : powers_) {
            out.energy += 0.5 * particles_ * power.mean * (density * power.energy - power.own);
            virial -= 0.5 * particles_ * power.mean * density * power.virial;
        }
        if (wanted_ != TailCorrection::energy && wanted_ != TailCorrection::all_energy)
            out.virial = {virial / 3, virial / 3, virial / 3};
        return out;
    }

  private:
    /// Tail of −C₆ r⁻⁶ or C₁₂ r⁻¹².
    struct Power {
        double mean = 0;    ///< of the coefficients
        double energy = 0;  ///< of a coefficient of 1 around a particle at density 1
        double own = 0;     ///< that of the particle with itself, to be left out
        double virial = 0;  ///< trace, likewise
    };
    static Power power_of(const NonbondedSpec& unit, int exponent);

    TailCorrection wanted_ = TailCorrection::none;
    double particles_ = 0;
    Power powers_[2];
};

}  // namespace aureole::md
