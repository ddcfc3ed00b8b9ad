// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/engine.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/integrate/segment.kernel.hpp"
#include "md/list_rules.hpp"
#include "md/topology.hpp"

namespace aureole::md {

/// What engines share in whichever way they list pairs: sums, forces beyond pairs, minimisers, and
/// the steps of molecules. `Place` is where an engine's kernels have a particle's coordinates and
/// its force.
template <class Place>
class PlacedEngine : public Engine {
  public:
    using T = typename Place::Number;

    void prepare() final;
    void close_steps() final;
    PotentialSums potential() final;
    void read_forces(device::View<Vec3d> to) final;
    MotionSums motion_sums() final { return motion_sums(columns()); }
    Kinetics kinetics() final;
    LargestForce largest_force() final;
    bool descend(double length) final;
    void ascend() final;
    void meet_constraints() final;
    void stop_whole() final;
    LargestTurn take_largest_turn() final { return std::exchange(watch_.turn, {}); }
    FireSums fire_sums() final;
    void fire_mix(double keep, double along) final;
    ListStatistics statistics() const final { return statistics_; }

  protected:
    /// An engine for devices has their kernels on hosts as well, where they are tested.
    static constexpr bool lanes = std::is_void_v<typename Place::device_kernel>;

    PlacedEngine(device::Queue& queue, System& system);

    virtual Place place() = 0;
    /// Lists for particles of which anything may have changed, and for those that a run has moved.
    virtual void make_lists() = 0;
    virtual void renew_lists() = 0;
    virtual bool list_is_due() const = 0;
    /// Whether the host looks at the state of every step, or of those alone at which a list is due.
    virtual bool looks_at_every_step() const = 0;
    /// The box and the places in it went with a strain: lists follow.
    virtual void follow(const Strain& strain) = 0;
    /// Pair forces, in blocks that a move or ClearForces has emptied; with what pairs give to each
    /// term; with their virial.
    virtual void pair_forces() = 0;
    virtual std::vector<EnergyVirial> pair_forces_and_sums() = 0;
    virtual core::Sym3d pair_forces_and_virial();
    /// Adds the forces of bonded terms, and the sums of each list to `sums` if there is one.
    virtual void add_bonded(std::vector<EnergyVirial>* sums) = 0;
    virtual ForceSink<T> mesh_sink() = 0;

    MotionColumns columns() { return motion_columns(system_.particles); }
    /// Steps of molecules go another way than those of free particles.
    bool of_molecules() const {
        return system_.motion.scheme != Scheme::plain || constraints_ || sites_;
    }
    /// What kernels of a step tell each other, for the step that is current.
    void begin_state();
    /// Sums over motion, which set the thermal speed that lists are planned by.
    MotionSums measure_speed();
    /// Brings all columns into a new order; see AnyColumn::permute().
    void permute_columns(const std::int32_t* order);
    /// To be called after every sort.
    void localise();
    void make_drift_buffer(const DriftBuffer::Conditions& at);
    DriftBuffer::Conditions drift_conditions() const {
        return drift_ ? drift_->conditions() : DriftBuffer::Conditions{};
    }
    void advance_molecules(std::int64_t steps);
    /// Of a checkpoint: what both kinds of lists have.
    void save_watch(StateBlocks& to) const;
    void restore_watch(const StateBlocks& from);
    void compute_forces();
    void half_kick();
    /// What the thermostat of free particles and the removal of drift do once a step has its
    /// forces; where neither acts, the half kick that closes the step stays pending.
    void finish_step(const StepState* state);
    void take_off_drift();
    static double smallest_periodic_face(const core::Box& box);
    /// Throws core::Error for a box of less than two cut-offs.
    void check_room() const;
    [[noreturn]] void report_blow_up(Tag tag);
    /// Throws core::BlowUpError for a particle that has no place; before every sort.
    void check_places();

    /// f over all particles, as `op` puts it together.
    template <class Value, class F, class Op = device::Sum>
    Value reduced(const char* name, const F& f, const Op& op = {}) {
        static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= most_sum_bytes);
        auto* const out = reinterpret_cast<Value*>(sum_.data());
        device::parallel_reduce<Value>(queue_, name, system_.particles.n, Value{}, f, op, out);
        Value value;
        device::copy_to_host(queue_, &value, device::View<const Value>{out, 1});
        return value;
    }

    device::Queue& queue_;
    System& system_;
    const double r_cut_;
    std::optional<Pme<T>> mesh_;
    Topology<T> topology_;
    std::optional<Constraints>& constraints_ = topology_.constraints;
    std::optional<VirtualSites>& sites_ = topology_.sites;
    std::optional<DriftBuffer> drift_;
    device::Buffer<StepState> state_;
    Column<Vec3d>& before_;              ///< places before a move, or a descent
    Column<std::uint8_t>& drift_group_;  ///< empty: one of all
    ListStatistics statistics_;
    double thermal_speed_ = 0;
    double dof_ = 0;                  ///< degrees of freedom
    bool half_kick_pending_ = false;  ///< of the last step, of free particles

  private:
    static constexpr std::size_t most_sum_bytes = 256;

    MotionSums motion_sums(const MotionColumns& moving);
    template <class Find>
    void rescale(const char* name, const Find& find);
    double kT_of_lists();
    double now() const;
    void construct_sites();
    core::Sym3d spread_sites(bool want_virial);
    void add_field();
    core::Sym3d add_other_forces(std::vector<EnergyVirial>* terms);
    core::Sym3d forces_and_virial();
    bool constrain(double flight, bool velocities);
    void constrain_or_throw(double flight, bool velocities);
    void constrain_velocities();
    void add_noise();
    void fly();
    void stretch();
    void slow(const Strain& by);
    void watch_turns();
    void couple(const core::Sym3d* virial);
    void stop_drift(const Members& of, bool rotation);
    std::vector<double> group_sums(const MotionColumns& moving);
    void settle_positions();

    device::Buffer<Vec3d> column_, trial_;  ///< working memory
    device::Buffer<double> sum_;            ///< that of reduced()
    device::Buffer<MotionSums> motion_sums_;
    device::Buffer<Rescaling> rescaling_;
    device::Buffer<double> factors_;
    device::Buffer<NoiseOfGroup> noise_;
    double descent_ = 0;  ///< one over the largest force
    TurnWatch watch_;
};

}  // namespace aureole::md
