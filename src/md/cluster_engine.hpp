// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/bonded_force.hpp"
#include "md/engine.hpp"
#include "md/integrate/constraints/constraints.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/integrate/packed.kernel.hpp"
#include "md/integrate/reach.kernel.hpp"
#include "md/list_rules.hpp"
#include "md/neighbor/cluster_pairs.hpp"
#include "md/neighbor/column_sort.hpp"
#include "md/pair/nonbonded_force.hpp"

namespace aureole::md {

/// Steps on a host device with cluster pair lists.
template <class T>
class ClusterEngine final : public Engine {
  public:
    ClusterEngine(device::Queue& queue, System& system);

    void prepare() override;
    void advance(std::int64_t steps) override;
    PotentialSums potential() override;
    void read_forces(device::View<Vec3d> to) override;
    MotionSums motion_sums() override { return motion_sums(columns()); }
    Kinetics kinetics() override;
    LargestForce largest_force() override;
    bool descend(double length) override;
    void ascend() override;
    void meet_constraints() override;
    ParticleSums particle_sums() override;
    FireSums fire_sums() override;
    void fire_mix(double keep, double along) override;
    void save(StateBlocks& to) override;
    void restore(const StateBlocks& from) override;
    ListTuning tuning() const override { return planned_; }
    void set_tuning(const ListTuning& tuning) override { tuning_ = planned_ = tuning; }
    ListStatistics statistics() const override { return statistics_; }

  private:
    struct ForceTables {
        std::vector<T> rows;
        const ClusterKernelTable<T>* kernels;
    };

    MotionColumns columns() { return motion_columns(system_.particles); }
    Packed<T> packed();
    ForceBlocks<T> force_blocks();
    void localise_bonded();
    void add_mesh(MeshWant want);
    void add_bonded(std::vector<EnergyVirial>* sums);
    MotionSums motion_sums(const MotionColumns& moving);
    bool of_molecules() const;
    void make_molecules();
    void localise_molecules();
    void construct_sites();
    core::Sym3d spread_sites(bool want_virial);
    void add_field();
    void stop_whole();
    void constrain(double flight, bool velocities);
    void constrain_velocities();
    void add_noise();
    void fly();
    void stretch();
    void slow(const Strain& by);
    void advance_molecules(std::int64_t steps);
    core::Sym3d forces_and_virial();
    core::Sym3d add_other_forces(bool want_virial);
    void couple(const core::Sym3d* virial);
    std::vector<double> group_sums(const MotionColumns& moving);
    void settle_positions();
    void limit_reach();
    void rebuild();
    void sort_particles();
    void place_constants();
    void compute_forces(bool renew_list);
    void renew_lists();
    void renew_list(bool early);
    void move(bool owed);
    template <class Bath>
    void move_with(const Bath& bath, bool owed);
    void half_kick();
    void bussi();
    void remove_drift();
    ListConditions conditions() {
        return {pairs_.r_cut(), thermal_speed_, most_reach_, drift_ ? &*drift_ : nullptr};
    }
    double kT_of_lists();
    void make_drift_buffer(double kT);
    [[noreturn]] void report_blow_up(std::uint32_t tag);
    EnergyVirial run_force(std::size_t k, KernelVariant variant);

    device::Queue& queue_;
    System& system_;
    ClusterPairs<T> pairs_;
    ColumnSort sort_;
    device::Buffer<StepState> state_;
    std::vector<ForceTables> tables_;
    std::optional<NonbondedForce<T>> nonbonded_;
    std::optional<Pme<T>> mesh_;
    BondedForces<T> bonded_;
    std::optional<Constraints> constraints_;
    std::optional<VirtualSites> sites_;
    device::Buffer<std::int32_t> place_of_tag_;
    device::Buffer<Vec3d> before_;              ///< places before a move, or a descent
    device::Buffer<Vec3d> column_, trial_;      ///< working memory
    device::Buffer<std::int64_t> group_start_;  ///< of rigid groups, for barostats
    device::Buffer<std::int32_t> group_tag_;
    device::Buffer<double> factors_;
    device::Buffer<NoiseOfGroup> noise_;
    double descent_ = 0;  ///< one over the largest force
    core::Box searched_;  ///< the box at the last search
    core::Box pruned_;    ///< and at the last pruning
    Strain strain_;       ///< of the box since then
    std::optional<DriftBuffer> drift_;
    ListTuning tuning_;  ///< as set; lives of 0 are planned anew at each search
    ListTuning planned_;
    ListStatistics statistics_;
    double thermal_speed_ = 0;
    double most_reach_ = 0;
    std::int64_t pruned_at_ = 0, searched_at_ = 0;
};

}  // namespace aureole::md
