// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "md/engine.hpp"

namespace aureole::md {

/// Buffers of pair lists of molecules from a tolerated drift of the energy, as Páll & Hess proposed
/// (Comput. Phys. Commun. 184, 2641 (2013), section 3.2): particles fly freely for the list's life,
/// ends of constraints on circles, and pairs that come within the cut-off unseen bring what their
/// potential changes by. Signs of charges do not cancel here, so that it is an upper bound.
class DriftBuffer {
  public:
    DriftBuffer(device::Queue& queue, System& system, double kT);

    double kT() const { return kT_; }
    /// Width beyond the cut-off of a list that lives for `time`.
    double width(double time);

  private:
    /// Particles that move alike.
    struct Kind {
        double mass = 0, partner = 0, length = 0;  ///< of the constraint to a heavier partner
        double count = 0, charge = 0;              ///< sum of |q|
        std::vector<double> types;                 ///< how many of each
    };
    struct Pair {
        int a, b;
        double dispersion, charge;  ///< per particle of the whole, means of C₆ and f |q q'|
    };

    double variance(const Kind& kind, double time) const;
    double drift(double width, double time) const;

    const System& system_;
    double kT_, tolerance_, r_cut_;
    std::vector<Kind> kinds_;
    std::vector<Pair> pairs_;
    Nonbonded unit_;
    std::map<double, double> known_;
};

}  // namespace aureole::md
