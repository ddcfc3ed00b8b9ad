// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "md/checkpoint/state_blocks.hpp"
#include "md/context/step_context.hpp"
#include "md/context/topology.hpp"
#include "md/domain/halo_limits.kernel.hpp"
#include "md/list_plan/list_rules.hpp"
#include "md/lists/columns_of_ghosts.hpp"
#include "md/neighbor/cluster_pairs.hpp"
#include "md/neighbor/column_sort.hpp"
#include "md/pair/cluster_pair_forces.hpp"

namespace aureole::md {

/// Pair lists of clusters of four particles, on host devices: an outer list from a search, and an
/// inner one that is pruned from it. `FlatLists` has the same members.
template <class T>
class ClusterLists {
  public:
    using KernelLayout = Packed<T>;
    using Number = T;
    static constexpr auto constraints = Constraints::Path::automatic;
    static constexpr bool flat = false;
    static constexpr const char* name = "cluster lists";
    /// A host reads the device's state at once, so that no step needs to be repeated.
    static constexpr bool looks_at_every_step = true;

    ClusterLists(StepContext& context, Topology<T>& topology, const Pme<T>* mesh);

    KernelLayout layout();
    /// Lists for particles of which anything may have changed.
    void make();
    /// Lists for particles that steps have moved, at their deadline or when they expired.
    void renew();
    /// The first step at which the list must be renewed.
    std::int64_t deadline() const { return pruned_at_ + planned_.inner_lifetime; }
    /// See StepContext::next_look().
    std::int64_t next_look() const { return context_.next_look(deadline()); }
    /// See StepContext::is_outrun().
    bool was_outrun();
    /// The box changed, and the particles with it: the lists follow.
    void follow(const Strain& strain);

    /// Reads the columns that change with steps as they are now, before the pair forces of a step.
    void take_columns() {
        pair_forces_.take_columns(system().particles, pairs_, to_ghosts(queue(), system()));
    }
    /// Decides what is to be done at this step, from the wishes of all ranks. Ghosts get their
    /// present positions.
    Wish agree(Wish mine);
    /// Pair forces, in blocks that a move or ClearForces has emptied.
    void pair_forces();
    /// Pair forces, with energy and virial of each term to device memory; returns where they end.
    EnergyVirial* pair_forces_and_sums(EnergyVirial* to);
    /// Pair forces, with sums to device memory whose virials add up to that of all terms; returns
    /// where they end.
    EnergyVirial* pair_forces_and_virial(EnergyVirial* to);
    /// Adds the forces of bonded terms, and writes the sums of each list to device memory unless
    /// that is null; returns where they end.
    EnergyVirial* add_bonded(device::Queue& queue, EnergyVirial* to);
    /// Brings what pairs and bonded terms did to ghosts to their owners; all ranks call it
    /// together.
    void return_forces();
    ForceSink<T> mesh_sink();
    ParticleSums particle_sums();

    /// Keeps the present forces, for return_to_saved_forces().
    void save_forces();
    void return_to_saved_forces();

    void save(StateBlocks& to);
    void restore(const StateBlocks& from);
    ListTuning tuning() const { return planned_; }
    void set_tuning(const ListTuning& tuning) { tuning_ = planned_ = tuning; }

  private:
    System& system() { return context_.system; }
    device::Queue& queue() { return context_.queue; }
    /// Ghosts that the lists hold: none without a domain.
    std::int64_t ghosts() { return system().domain != nullptr ? system().particles.ghosts : 0; }
    /// Ghosts among which pairs are searched.
    std::int64_t halo_ghosts() {
        const auto* const domain = system().domain;
        return domain != nullptr ? domain->halo_ghosts(system().particles) : 0;
    }
    ForceBlocks<T> force_blocks();
    EnergyVirial* upload_sums(const std::vector<EnergyVirial>& sums, EnergyVirial* to);
    void partition_bonded();
    void limit_displacements();
    void rebuild();
    void sort_particles();
    void add_ghosts(double limit);
    void link_particles();
    void update_ghosts();
    void pack_ghosts();
    bool has_all_exclusions();
    void renew_limits_of_ghosts(bool uniform);
    bool take_expiry();
    bool extend(std::int32_t most_clusters, double largest_limit);
    /// Clusters for which a list is extended instead of searched anew: none after five
    /// extensions to eight clusters, since their entries and their log take memory.
    std::int32_t most_extensions() const {
        if (8 * std::ssize(pairs_.extensions()) >= 5 * std::int64_t{pairs_.clusters()}) return 0;
        return static_cast<std::int32_t>(extension_limit * pairs_.clusters()) + 1;
    }
    bool set_limits(const LimitRule& inner);
    void renew_limits(const LimitRule& inner);
    ListConditions conditions() { return context_.list_conditions(largest_limit_); }

    StepContext& context_;
    Topology<T>& topology_;
    ClusterPairs<T> pairs_;
    ColumnSort sort_;
    ClusterPairForces<T> pair_forces_;
    const Pme<T>* mesh_;  ///< null: none
    core::Box searched_;  ///< the box at the last search
    core::Box pruned_;    ///< and at the last pruning
    Strain strain_;       ///< of the box since the search
    ListTuning tuning_;   ///< as set; lifetimes of 0 are planned anew at each search
    ListTuning planned_;
    double largest_limit_ = 0;
    device::Buffer<Vec3d> saved_force_;
    std::int64_t pruned_at_ = 0, searched_at_ = 0;
    bool fresh_ = false;   ///< the list was searched, but is not partitioned yet
    bool outrun_ = false;  ///< particles went farther than the list was made for
    // With a domain:
    std::vector<float> halo_limits_;  ///< [n] displacements since the search that the halo allows
    std::uint32_t wish_ = 0;          ///< 1: this rank needs a new halo
    bool search_due_ = false;         ///< all ranks make new lists at this step
    bool far_exclusions_ = false;     ///< there are excluded pairs that no halo has
    /// Whether the outer list does not cover an inner limit of this step, once these are set.
    std::optional<bool> outgrown_;
};

extern template class ClusterLists<float>;
extern template class ClusterLists<double>;

}  // namespace aureole::md
