// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/list_rules.hpp"
#include "md/neighbor/cluster_pairs.hpp"
#include "md/neighbor/column_sort.hpp"
#include "md/pair/cluster_pair_forces.hpp"
#include "md/state_blocks.hpp"
#include "md/step_context.hpp"
#include "md/topology.hpp"

namespace aureole::md {

/// Pair lists of clusters of four particles, on host devices: an outer list from a search, and an
/// inner one that is pruned from it. `LaneLists` has the same members.
template <class T>
class ClusterLists {
  public:
    using Place = Packed<T>;
    using Number = T;
    static constexpr auto constraints = Constraints::Path::automatic;
    static constexpr bool lanes = false;
    static constexpr const char* name = "cluster lists";
    /// A host sees the device's state at once, so that no step need be made again.
    static constexpr bool looks_at_every_step = true;

    ClusterLists(StepContext& context, Topology<T>& topology, const Pme<T>* mesh);

    Place place();
    /// Lists for particles of which anything may have changed.
    void make();
    /// Lists for particles that steps have moved, at their deadline or when they were outlived.
    void renew();
    /// The first step at which the list must be renewed.
    std::int64_t deadline() const { return pruned_at_ + planned_.inner_life; }
    /// The box changed, and the particles with it: the lists follow.
    void follow(const Strain& strain);

    /// Before the pair forces of a step: those columns that change are read as they are now.
    void take_columns() { pair_forces_.take_columns(system().particles, pairs_); }
    /// Pair forces, in blocks that a move or ClearForces has emptied.
    void pair_forces();
    /// The same, with energies and virials of each term.
    std::vector<EnergyVirial> pair_forces_and_sums();
    /// The same, with the virial alone.
    core::Sym3d pair_forces_and_virial();
    /// Adds the forces of bonded terms, and the sums of each list to `sums` if there is one.
    void add_bonded(std::vector<EnergyVirial>* sums);
    ForceSink<T> mesh_sink();
    ParticleSums particle_sums();

    void save(StateBlocks& to);
    void restore(const StateBlocks& from);
    ListTuning tuning() const { return planned_; }
    void set_tuning(const ListTuning& tuning) { tuning_ = planned_ = tuning; }

  private:
    System& system() { return context_.system; }
    device::Queue& queue() { return context_.queue; }
    ForceBlocks<T> force_blocks();
    void share_bonded();
    void limit_displacements();
    void rebuild();
    void sort_particles();
    bool set_limits(const ReachRule& inner);
    void renew_limits(const ReachRule& inner);
    ListConditions conditions() {
        return {context_.r_cut, context_.thermal_speed, most_reach_,
                context_.drift ? &*context_.drift : nullptr};
    }

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
    double most_reach_ = 0;
    std::int64_t pruned_at_ = 0, searched_at_ = 0;
    bool fresh_ = false;  ///< the list was searched, but is not shared yet
};

extern template class ClusterLists<float>;
extern template class ClusterLists<double>;

}  // namespace aureole::md
