// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <vector>

#include "md/neighbor/cluster_pairs.hpp"
#include "md/neighbor/zone_rule.hpp"
#include "md/pair/nonbonded.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

/// Excluded pairs of charges that kernels do not handle, for cluster lists. Kernels compute the
/// smooth part of an excluded pair, such as the correction for the mesh, if it is within the
/// cut-off and the inner list has it in a tile; this class does so for all others, by their nearest
/// image. It costs nothing if excluded partners stay close.
template <class T>
class FarExclusions {
  public:
    explicit FarExclusions(const Nonbonded& nonbonded);

    /// Finds the pairs that may come to lie beyond the cut-off while particles stay within their
    /// outer limits; after searches and extensions. Of several ranks each handles those that fall
    /// to it.
    void find(device::Queue& queue, const core::Box& box, Particles& particles,
              const ZoneRule& rule, const ExcludedPartners& exclusions, ClusterPairs<T>& pairs);
    /// Excluded pairs that fell to this rank at the last find(), near ones as well.
    std::int64_t handled() const { return handled_; }
    /// Notes which of them are in tiles of the inner list; after each pruning.
    void find_tiles(device::Queue& queue, ClusterPairs<T>& pairs);
    bool empty() const { return pairs_.empty(); }
    /// Adds forces to the first thread's blocks.
    EnergyVirial add(device::Queue& queue, const core::Box& box, const Particles& particles,
                     ClusterPairs<T>& pairs) const;
    /// Adds half of each pair's energy and virial to its particles; [n] in local order.
    void add_contributions(const core::Box& box, const core::Vec3d* position,
                           ClusterPairs<T>& pairs, std::vector<EnergyVirial>& sums) const;

  private:
    struct Pair {
        std::int32_t i, j;  ///< in local order
        double charges;     ///< their product
        /// The lattice shifts with which tiles of the inner list have the pair, a bit each, where
        /// they move i and where they move j.
        std::uint32_t i_moved = 0, j_moved = 0;
    };
    /// A pair that no kernel sees: the force on i, energy and virial.
    struct Contribution {
        core::Vec3d force;
        EnergyVirial sums;
    };
    struct Slots {
        std::int32_t i, j;  ///< the smaller one first
        std::size_t pair;
        auto operator<=>(const Slots&) const = default;
    };
    /// Data that a pass over the pairs reads.
    struct Where {
        const core::Box& box;
        const core::Vec3d* position;
        const std::int32_t* slot;
        const T* x;
    };

    bool in_kernel(const Pair& pair, const Where& at, const core::Vec3d& lattice) const;
    PairValue<double> value(double charges, double r2) const;
    bool within_cut_off(const T* moved, const T* other, const core::Vec3d& lattice) const;
    template <class F>
    void visit(const Where& at, F&& f) const;

    const Nonbonded& nonbonded_;
    const double r_cut_;
    std::vector<Pair> pairs_;
    std::int64_t handled_ = 0;
    std::vector<Slots> slots_;            ///< of the pairs, ascending
    std::vector<std::uint8_t> clusters_;  ///< whether any pair has a particle in a cluster
};

}  // namespace aureole::md
