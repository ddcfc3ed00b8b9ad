// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "md/list_plan/list_watch.hpp"
#include "md/system/system.hpp"

namespace aureole::md {

/// Buffers of pair lists of molecules from a tolerated drift of the energy, as Páll & Hess proposed
/// (Comput. Phys. Commun. 184, 2641 (2013), section 3.2): particles move freely for the list
/// lifetime, ends of constraints on circles, and pairs that come within the cut-off unseen bring
/// what their potential changes by. Signs of charges do not cancel here, so that it is an upper
/// bound.
class DriftBuffer {
  public:
    /// Conditions that widths are computed for: `volume` holds all particles at the density that
    /// they see around them. It stays as it is while that density changes little, so that the same
    /// number of steps has the same width all the time.
    struct Conditions {
        double kT = 0, volume = 0;

        friend bool operator==(const Conditions&, const Conditions&) = default;
    };
    /// Volumes, like that of Conditions, of charges and of attraction, which may be in a part of
    /// the particles.
    struct Volumes {
        double charges = 0, attraction = 0;

        friend bool operator==(const Volumes&, const Volumes&) = default;
    };

    /// Weight of the attraction of unseen pairs, and of their repulsion: all of it adds up, in the
    /// outer and the inner list, and shall use up no more than a tenth of what is tolerated.
    /// Between charges half the weight is enough: most contributions of charges cancel, so that
    /// their estimate is far above what they bring.
    static constexpr double weight_of_attraction(bool charged) { return charged ? 10 : 20; }

    /// For lists of `cluster` particles by as many: most pairs just beyond a list's radius are in
    /// it, as others of their tiles are nearer.
    DriftBuffer(device::Queue& queue, System& system, const Conditions& at, int cluster);

    /// Changes the conditions, and what is known of particles that go farther than these say.
    void assume(const Conditions& at, const Volumes& volumes, const ListWatch& watch);
    /// Width beyond the cut-off of a list that serves so many steps, the first of which is that of
    /// the positions it was made for; infinity where half the cut-off would not be enough.
    double width(int steps);
    /// The part of the pairs just beyond a radius that clusters leave out of a list.
    double missing_fraction(double radius) const;

  private:
    /// Particles that move alike.
    struct Kind {
        double mass = 0, partner = 0, length = 0;  ///< of the constraint to a heavier partner
        bool charged = false;
        double least = 0, most = 0;  ///< masses of its particles, before they were rounded
        double least_partner = 0, most_partner = 0;
        double count = 0, charge = 0;  ///< sum of |q|
        std::vector<double> types;     ///< how many of each
        /// Variance of displacements relative to free flight.
        double excess = 1, partner_excess = 1;
    };
    struct Pair {
        int a, b;
        /// Per particle of the whole: C₆ and C₁₂, weighted, and f |q q'|.
        double dispersion, repulsion, charge;
    };
    /// Variances of one component of a displacement: of all that the particle moves with, and of
    /// its turning across a constraint.
    struct Spread {
        double all = 0, across = 0;
    };
    /// Change of potentials of unit strength from the cut-off to a depth inside it.
    struct Depth {
        double depth, weight, dispersion, repulsion, charge;
    };
    /// A part of the pairs, whose distances spread alike, with their energy if all came to any
    /// depth.
    struct Approach {
        double sigma, part;
        const Pair* pair;
        double energy;
    };

    Spread spread(const Kind& kind, double time) const;
    std::vector<Depth> depths(double most) const;
    /// Change of the energy at a depth, of all pairs of these kinds.
    double change(const Pair& pair, const Depth& depth) const;
    std::vector<Approach> approaches(const std::vector<Spread>& spreads,
                                     const std::vector<Depth>& depths) const;
    double drift(double width, const std::vector<Approach>& approaches,
                 const std::vector<Depth>& depths) const;

    const System& system_;
    Conditions at_;
    Volumes volumes_;
    double r_cut_;
    int cluster_;
    std::vector<Kind> kinds_;
    std::vector<Pair> pairs_;
    Nonbonded unit_, unit_repulsion_;
    std::map<int, double> known_;
};

/// Width of the buffer beyond the cut-off with which a list for so many steps lets the energy drift
/// by the list's tolerance: an upper bound from free flight of all particles at a speed, in root
/// mean square of a component, at the density that they see around them.
double tolerance_buffer(const System& system, double density, double speed, int steps);

}  // namespace aureole::md
