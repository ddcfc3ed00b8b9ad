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

enum class TailCorrection { none, energy, energy_and_pressure };

/// What dispersion between particles that lie beyond the cut-off, and the way in which it ends
/// there, leave out of the energy and the pressure: with the mean C₆ of all pairs that are not
/// excluded.
class DispersionTail {
  public:
    DispersionTail() = default;
    /// `types` [n] of particles by tag.
    DispersionTail(TailCorrection wanted, const NonbondedSpec& spec,
                   const std::vector<std::int32_t>& types, const Exclusions& exclusions);

    bool wanted() const { return wanted_ != TailCorrection::none; }
    double mean_c6() const { return mean_c6_; }
    AUREOLE_FN EnergyVirial at(double volume) const {
        EnergyVirial out;
        const double density = particles_ / volume;
        out.energy = 0.5 * particles_ * mean_c6_ * (density * energy_ - own_);
        if (wanted_ == TailCorrection::energy_and_pressure) {
            const double third = -0.5 * particles_ * mean_c6_ * density * virial_ / 3;
            out.virial = {third, third, third};
        }
        return out;
    }

  private:
    TailCorrection wanted_ = TailCorrection::none;
    double mean_c6_ = 0, particles_ = 0;
    double energy_ = 0;  ///< of C₆ = 1 around a particle at density 1
    double own_ = 0;     ///< that of the particle with itself, to be left out
    double virial_ = 0;  ///< trace, likewise
};

}  // namespace aureole::md
