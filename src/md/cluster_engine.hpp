// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/neighbor/cluster_pairs.hpp"
#include "md/neighbor/column_sort.hpp"
#include "md/pair/cluster_pair_forces.hpp"
#include "md/placed_engine.hpp"

namespace aureole::md {

/// Steps on a host device with cluster pair lists.
template <class T>
class ClusterEngine final : public PlacedEngine<Packed<T>> {
  public:
    ClusterEngine(device::Queue& queue, System& system);

    void advance(std::int64_t steps) override;
    ParticleSums particle_sums() override;
    void save(StateBlocks& to) override;
    void restore(const StateBlocks& from) override;
    ListTuning tuning() const override { return planned_; }
    void set_tuning(const ListTuning& tuning) override { tuning_ = planned_ = tuning; }

  private:
    using Base = PlacedEngine<Packed<T>>;
    using Base::before_, Base::columns, Base::drift_, Base::half_kick_pending_, Base::mesh_,
        Base::profile_, Base::queue_, Base::r_cut_, Base::sites_, Base::state_, Base::statistics_,
        Base::system_, Base::thermal_speed_;

    Packed<T> place() override;
    void make_lists() override;
    void renew_lists() override;
    bool list_is_due() const override { return system_.step - pruned_at_ >= planned_.inner_life; }
    bool looks_at_every_step() const override { return true; }
    void follow(const Strain& strain) override;
    void pair_forces() override;
    std::vector<EnergyVirial> pair_forces_and_sums() override;
    core::Sym3d pair_forces_and_virial() override;
    void add_bonded(std::vector<EnergyVirial>* sums) override;
    ForceSink<T> mesh_sink() override;

    ForceBlocks<T> force_blocks();
    void share_bonded();
    void limit_reach();
    void rebuild();
    void sort_particles();
    void renew_reaches(const ReachRule& inner, bool early);
    void move(bool owed);
    template <class Bath>
    void move_with(const Bath& bath, bool owed);
    ListConditions conditions() {
        return {r_cut_, thermal_speed_, most_reach_, drift_ ? &*drift_ : nullptr};
    }

    ClusterPairs<T> pairs_;
    ColumnSort sort_;
    ClusterPairForces<T> pair_forces_;
    BondedForces<T>& bonded_ = Base::topology_.bonded;
    core::Box searched_;  ///< the box at the last search
    core::Box pruned_;    ///< and at the last pruning
    Strain strain_;       ///< of the box since the search
    ListTuning tuning_;   ///< as set; lives of 0 are planned anew at each search
    ListTuning planned_;
    double most_reach_ = 0;
    std::int64_t pruned_at_ = 0, searched_at_ = 0;
    bool fresh_ = false;  ///< the list was searched, but is not shared yet
};

}  // namespace aureole::md
