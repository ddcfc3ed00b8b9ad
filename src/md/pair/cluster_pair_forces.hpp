// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "md/neighbor/cluster_pairs.hpp"
#include "md/pair/far_exclusions.hpp"
#include "md/pair/nonbonded_force.hpp"
#include "md/pair/pair_settings.hpp"
#include "md/pair/particle_columns.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

/// All pair forces over cluster lists, on host devices: tables and kernels of each potential, the
/// columns that kernels read, and excluded pairs beyond the list.
template <class T>
class ClusterPairForces {
  public:
    ClusterPairForces(device::Queue& queue, const PairSettings& settings);

    /// Fills the kernels' copies of particles' columns, and marks excluded pairs in the masks;
    /// after a sort, before the search. list_found() reads the same exclusions.
    void load_particles(Particles& particles, const ExcludedPartners& exclusions,
                        ClusterPairs<T>& list);
    /// Takes columns that change with steps as they are now, for forces of a new step.
    void take_columns(Particles& particles, ClusterPairs<T>& list, const BringToGhosts& bring);
    /// With other ranks: lets ghosts have what potentials read of them, before there are any.
    void put_columns_on_ghosts(Particles& particles) {
        put_on_ghosts(particles, settings_.forces, changing_);
        changing_.keep_first(queue_, particles);
    }
    /// After a search or an extension of the list: finds the excluded pairs that may leave it.
    void list_found(const core::Box& box, Particles& particles, const ZoneRule& rule,
                    ClusterPairs<T>& list);
    /// How many excluded pairs of charges this rank handles.
    std::int64_t excluded_pairs() const { return far_exclusions_ ? far_exclusions_->handled() : 0; }
    /// After each pruning.
    void list_pruned(ClusterPairs<T>& list);
    /// Whether forces go to particles in blocks that no tile of the list marks as touched.
    bool beyond_list() const { return far_exclusions_ && !far_exclusions_->empty(); }

    /// Adds forces to the list's blocks, which a move has emptied (those of `terms` are emptied
    /// here). Returns a sum for each potential, then for dispersion with repulsion and for charges;
    /// none where only forces are wanted.
    std::vector<EnergyVirial> add(const core::Box& box, const Particles& particles,
                                  ClusterPairs<T>& list, PairWant want);
    /// [n + ghosts] energy and virial of each, half of every pair's to each; local order.
    std::vector<EnergyVirial> of_particles(const core::Box& box, const Particles& particles,
                                           ClusterPairs<T>& list);

  private:
    struct Kernels {
        std::vector<T> rows;
        const ClusterKernelTable<T>* table;
        device::Buffer<T> columns{};  ///< [clusters][numbers that the potential reads][4]
    };

    void pack_columns(std::size_t k, const Particles& particles, ClusterPairs<T>& list,
                      const std::vector<std::string>* alone);
    std::vector<EnergyVirial> run(KernelVariant variant, ClusterPairs<T>& list);
    ChargedKernel<T> charged_kernel(KernelVariant variant) const;
    ClusterJob<T> job_of(std::size_t k, const ClusterWork<T>& work) const;
    EnergyVirial run_chunk(std::size_t k, KernelVariant variant, const ClusterWork<T>& work) const;
    EnergyVirial add_with_virial(const core::Box& box, const Particles& particles,
                                 ClusterPairs<T>& list);

    device::Queue& queue_;
    const PairSettings settings_;
    const ChangingColumns changing_;
    std::vector<Kernels> kernels_;  ///< of each potential
    std::optional<NonbondedForce<T>> nonbonded_;
    std::optional<FarExclusions<T>> far_exclusions_;
    ExcludedPartners exclusions_;
    std::vector<EnergyVirial> chunk_sums_;  ///< [chunks][terms]
    device::Buffer<core::Sym3d> moments_;
};

extern template class ClusterPairForces<float>;
extern template class ClusterPairForces<double>;

}  // namespace aureole::md
