// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "md/context/step_context.hpp"
#include "md/external/external_forces.hpp"
#include "md/integrate/common_motion.kernel.hpp"
#include "md/integrate/descent.kernel.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/integrate/pressure.kernel.hpp"
#include "md/integrate/segment.kernel.hpp"
#include "md/stages/leaf_stages.hpp"
#include "md/step/step_graphs.hpp"
#include "md/step/step_plan.hpp"

namespace aureole::md {

/// Makes the steps of a plan with the pair lists it is given (`ClusterLists` or `FlatLists`), in
/// segments: runs of steps that are enqueued without looking at the device. A segment in which the
/// list expired is made again up to there, so that no step ever uses a list that misses a pair.
template <class Lists>
class Stepper final : public Engine {
  public:
    using T = typename Lists::Number;
    using KernelLayout = typename Lists::KernelLayout;

    Stepper(device::Queue& queue, System& system);

    void prepare() override;
    void advance(std::int64_t steps) override;
    void close_steps() override;
    PotentialSums potential() override;
    void read_forces(device::View<Vec3d> to) override;
    MotionSums motion_sums() override { return context_.motion_sums(); }
    Kinetics kinetics() override;
    DescentMemory begin_descent(double step, double tail) override;
    DescentMemory descend() override;
    void satisfy_constraints() override;
    void stop_whole() override;
    std::string take_remark() override { return graphs_.take_remark(); }
    LargestRotation take_largest_rotation() override { return std::exchange(watch_.turn, {}); }
    ParticleSums particle_sums() override { return lists_.particle_sums(); }
    void begin_fire(const FireSpec& spec) override;
    FireState fire() override;
    void save(StateBlocks& to) override;
    void restore(const StateBlocks& from) override;
    ListTuning tuning() const override { return lists_.tuning(); }
    void set_tuning(const ListTuning& tuning) override { lists_.set_tuning(tuning); }
    ListStatistics statistics() const override { return context_.statistics; }
    TileCounts tile_counts() override {
        if constexpr (Lists::flat) return lists_.tile_counts();
        return {};
    }
    Profile& profile() override { return context_.profile; }
    std::string describe() override;

  private:
    /// The saved start of a segment.
    struct Start {
        std::int64_t step = 0;
        StepMemory memory;
        bool forces_due = false;  ///< those of its positions, and what follows them in that step
    };

    MotionColumns columns() { return context_.columns(); }

    // stepper_state.hpp: what is saved, restored, described
    std::optional<Pme<T>> make_mesh();
    void begin_steps();

    // stepper_steps.hpp: segments
    bool uses_graphs() const;
    void run_segment(std::int64_t end);
    StepState make_steps(std::int64_t target, const Start& start);
    void save_start(const Start& start);
    void return_to(const Start& start);
    StepState enqueue(std::int64_t target, const Start& start, bool list_ends);
    StepState enqueue_refined(std::int64_t target, const Start& start, bool list_ends = false);
    bool rows_were_short() const;
    void make_due_forces();
    void make(StepPart part);
    void before_forces();
    std::size_t move_molecules(std::span<const PlannedStage> stages);
    void after_forces();
    void run(const PlannedStage& stage);
    void renew_lists(bool waits);

    // stepper_fire.hpp: FIRE
    bool minimises() const { return system_.motion.scheme == Scheme::fire; }
    bool looks_at_every_step() const;
    std::int64_t longest_segment() const;
    void mix();
    void find_power(bool first);
    template <class Kernel>
    void launch_motion(const char* name, Kernel kernel);

    // stepper_forces.hpp: forces
    device::Queue& beside();
    void fork();
    void join();
    void compute_forces();
    void compute_first_forces();
    void measure_forces();
    EnergyOfTerms enqueue_potential();
    void compute_forces_and_virial();
    EnergyVirial* add_other_forces(EnergyVirial* terms);
    void add_field();
    ExternalConditions external_conditions();
    void construct_sites();
    void spread_sites(bool want_virial);
    void find_kinetics(bool of_groups);

    // stepper_stages.hpp: stages
    void kick(double part);
    void drift(double part);
    KickDrift<KernelLayout> kick_drift(double kick, double flight);
    void kick_and_drift(double kick, double flight);
    void move(double kick);
    LangevinThermostat langevin() const;
    void add_noise();
    ConstraintMove constraint_move(double flight, bool velocities);
    bool constrain(double flight, bool velocities);
    void constrain_or_throw(double flight, bool velocities);
    std::uint32_t* unsatisfied();
    [[noreturn]] void throw_unsatisfied();
    void constrain_velocities();
    StoreAndCheck<KernelLayout> storing(bool counts);
    void store();
    void update(const PlannedStage& stage);
    double farthest_move() const;
    void check_rotations();

    // stepper_couplings.hpp: thermostats, barostats, drift
    void change_box();
    void follow_box();
    void apply_barostat();
    void begin_coupling();
    PressureTerms pressure_terms() const;
    StepState look();
    void thermostat();
    void scale_velocities_for_box(const Strain* by);
    void localise_groups();
    void fetch_couplings();
    ThermostatView thermostat_view() const;
    void sum_motion(const MotionColumns& moving, MotionSums* to);
    void sum_groups(const MotionColumns& moving, bool single, double* to);
    void remove_drift();
    void stop_drift(const Members& of, bool rotation);

    // stepper_descent.hpp: steepest descent, constraints before the first step
    void find_largest_force();
    void judge_trial();
    void place_positions();
    void renew_where_expired();
    Wish wish(const StepState& seen, bool due) const;
    void compute_forces_anew();
    void settle_positions();

    device::Queue& queue_;
    System& system_;
    StepContext context_;
    Topology<T> topology_;
    std::optional<Pme<T>> mesh_;
    Lists lists_;
    ExternalForces externals_;
    LeafStages leaf_stages_;
    StepPlan plan_;
    bool in_segment_ = false;    ///< the host does not look
    bool forces_due_ = false;    ///< between segments of one advance(); see Start
    bool step_counted_ = false;  ///< by the kernel that stored its positions
    StepMemory memory_;
    StepGraphs graphs_;
    std::optional<device::Queue> beside_;  ///< for bonded terms and the mesh, in graphs
    RotationCheck watch_;
    double descent_tail_ = 0;  ///< of the energy
    FireRule fire_rule_{};
    bool minimum_found_ = false;

    // start of a segment
    device::Buffer<Vec3d> saved_position_, saved_velocity_;
    device::Buffer<StepState> saved_state_;
    device::Buffer<double> saved_chains_;

    device::Buffer<ThermostatGroup> group_;
    device::Buffer<double> schedule_, chains_;  ///< points of annealing; velocities of chains
    TemperatureSchedule first_course_{};        ///< of the first group, which barostats take
    Column<std::uint8_t>& drift_group_;         ///< whose drift is removed singly; empty: all

    // working memory
    device::Buffer<Vec3d> column_, trial_, field_, drift_;
    device::Buffer<MotionSums> motion_sums_;
    device::Buffer<FireSums> fire_sums_;
    device::Buffer<double> farthest2_;
    device::Buffer<KineticSums> kinetic_sums_;
    device::Buffer<EnergyVirial> terms_;  ///< of the potential energy, those of pairs first
    std::int64_t pair_terms_ = 0, all_terms_ = 0;
    device::Buffer<ConstraintSums> constraint_sums_;
    device::Buffer<core::Sym3d> site_virial_;
    device::Buffer<RotationSums> rotation_sums_;
    device::Buffer<CommonMotion> common_motion_;
    device::Buffer<double> factors_, group_energy_;  ///< the latter [2][groups]
    device::Buffer<NoiseOfGroup> noise_;
};

}  // namespace aureole::md
