// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "md/neighbor/cluster_pairs.hpp"
#include "md/pair/nonbonded.hpp"
#include "md/particles.hpp"

namespace aureole::md {

/// Excluded pairs of charges beyond the cut-off, for cluster lists. The mesh counts every pair of
/// charges; kernels take that off excluded pairs within the cut-off, and this off all others, by
/// their nearest image. Nothing is kept and no time spent where excluded partners stay close.
template <class T>
class FarExclusions {
  public:
    explicit FarExclusions(const Nonbonded& nonbonded);

    /// Finds the pairs that may come to lie beyond the cut-off while particles stay within their
    /// outer reaches; after searches and extensions.
    void find(device::Queue& queue, const core::Box& box, Particles& particles,
              const Exclusions& exclusions, ClusterPairs<T>& pairs);
    bool empty() const { return pairs_.empty(); }
    /// Adds forces to the first thread's blocks.
    EnergyVirial add(device::Queue& queue, const core::Box& box, const Particles& particles,
                     ClusterPairs<T>& pairs) const;
    /// Adds half of each pair's energy and virial to its particles; [n] in local order.
    void add_shares(const core::Box& box, const core::Vec3d* position, ClusterPairs<T>& pairs,
                    std::vector<EnergyVirial>& sums) const;

  private:
    struct Pair {
        std::int32_t i, j;  ///< in local order
        double qq;          ///< with Coulomb's constant
    };
    /// A pair beyond the cut-off: the force on i, energy and virial.
    struct Share {
        core::Vec3d force;
        EnergyVirial sums;
    };
    /// What a pass over the pairs reads.
    struct Places {
        const core::Box& box;
        const core::Vec3d* position;
        const std::int32_t* slot;
        const T* x;
    };

    bool within_cut_off(const T* i, const T* j, const core::Vec3d& lattice) const;
    template <class F>
    void visit(const Places& at, F&& f) const;

    const bool wanted_;  ///< reaction fields give nothing beyond the cut-off
    const double r_cut_, beta_, coulomb_;
    std::vector<Pair> pairs_;
};

}  // namespace aureole::md
