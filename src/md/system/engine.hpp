// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/profile.hpp"
#include "device/reduce_ops.hpp"
#include "md/bonded/bonded_terms.hpp"
#include "md/box/step_state.hpp"
#include "md/coupling/coupling.hpp"
#include "md/coupling/electric_field.hpp"
#include "md/domain/domain.hpp"
#include "md/external/external_spec.hpp"
#include "md/integrate/constraints/terms.hpp"
#include "md/integrate/fire.kernel.hpp"
#include "md/integrate/thermo.kernel.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"
#include "md/longrange/pme.hpp"
#include "md/pair/pair_settings.hpp"
#include "md/pair/tails.hpp"
#include "md/particles/particles.hpp"
#include "md/stages/stage_spec.hpp"
#include "md/system/step_counts.hpp"

namespace aureole::md {

enum class GlobalThermostat { none, langevin, bussi };

/// The order of a step's parts. `plain` is velocity Verlet or Langevin's equation, of particles
/// that are free; velocities of `leap_frog` are those of half a step before the positions. `fire`
/// is a minimiser.
enum class Scheme { plain, leap_frog, verlet, stochastic, fire };

/// Instead of a group: for particles whose centre-of-mass motion is kept.
inline constexpr std::uint8_t no_drift_group = 255;

/// How particles move.
struct MotionSpec {
    double dt = 0;
    GlobalThermostat thermostat = GlobalThermostat::none;
    double kT = 0;
    double gamma = 0;           ///< Langevin: friction per mass [1/time]
    double tau = 0;             ///< Bussi: relaxation time
    int thermostat_every = 10;  ///< Bussi: steps between rescalings
    int remove_com_every = 0;
    double longest_move = 0;  ///< moves of a step are cut to this; 0: none is cut
    Scheme scheme = Scheme::plain;
    bool coupled = false;          ///< by System::coupling
    bool remove_rotation = false;  ///< of the whole, with its drift
    double dof = 0;                ///< degrees of freedom; 0: counted
};

/// How the pair list is kept.
struct ListSpec {
    bool exact = true;
    double tolerance = 0.005;  ///< energy drift per particle and time [energy/time], inexact lists
    double buffer = 0;         ///< inexact lists: width of the inner buffer, 0: from the tolerance
    int inner_lifetime = 0;    ///< steps from one pruning to the next, 0: planned
    int outer_lifetime = 0;    ///< steps from one search to the next, 0: planned
};

/// Buffers and lifetimes of the lists, tuned by the motion (never by timing), part of the state.
struct ListTuning {
    double inner_floor = 0,
           outer_floor = 0;  ///< least displacement limit, in thermal speed × planned lifetime
    int inner_lifetime = 0, outer_lifetime = 0;  ///< planned steps
};

/// Everything that makes a step, shared by reference with the simulation that owns it.
struct System {
    core::Box box;
    Particles particles;
    std::vector<PairForce> forces;
    std::optional<Nonbonded> nonbonded;  ///< of molecules
    Exclusions exclusions;
    std::optional<MeshSpec> mesh;  ///< Ewald's reciprocal-space sum
    BondedTerms bonded;
    std::vector<ExternalSpec> externals;
    std::vector<StageSpec> stages;
    EnergyVirial tails_of_forces;                ///< of `forces`, in a volume of 1
    TailCorrection tail = TailCorrection::none;  ///< that of molecules, as wanted
    DispersionTail dispersion;                   ///< as it follows from forces and exclusions
    ConstraintSpec constraints;
    SiteSpec sites;
    std::vector<std::uint8_t> free_axes;  ///< bits of each tag's axes that are not frozen, or empty
    std::vector<std::uint8_t> group;      ///< whether the integrator moves each tag, or empty
    CouplingSpec coupling;
    CouplingState coupled;
    ElectricField field;
    /// Group of each tag for the removal of centre-of-mass motion. Empty: one group of all.
    std::vector<std::uint8_t> drift_group;
    int drift_groups = 0;
    double first_volume = 0;  ///< of the box at the start, for the mass of a barostat
    MotionSpec motion;
    ListSpec list;
    std::uint64_t seed = 0;
    std::int64_t step = 0;
    StepCounts counts;
    bool fuse_stages = true;   ///< to one kernel, where that changes no bit; tests compare
    Domain* domain = nullptr;  ///< the part of this rank; null: one rank has all

    /// Particles of all ranks.
    std::int64_t n_total() const { return domain != nullptr ? domain->n_total() : particles.n; }
    /// Calls of this rank so far in which each rank waits for all others.
    std::int64_t collectives() const {
        return domain != nullptr ? static_cast<std::int64_t>(domain->world().collectives()) : 0;
    }
    /// op over the values of all ranks.
    template <class Value, class Op = device::Sum>
    Value combine(const Value& mine, const Op& op = {}) const {
        return domain != nullptr ? domain->combine(mine, op) : mine;
    }
    /// Values of all particles by tag, from those of a rank's own in local order.
    template <class Value>
    std::vector<Value> by_tag(const std::vector<Value>& local, const std::vector<Tag>& tags) const {
        return domain != nullptr ? domain->in_tag_order(local, tags) : to_tag_order(local, tags);
    }

    /// The mesh with the charges and the splitting of the pair forces, which own both. Throws
    /// core::InputError where these leave nothing to a mesh.
    PmeSpec pme() const;
    PairSettings pairs() const;
};

/// The columns that stages work on.
MotionColumns motion_columns(Particles& particles);

/// 3 per moving particle, less the constraints, and less 3 where the total momentum is kept; or
/// what MotionSpec::dof says.
double degrees_of_freedom(const System& system, const MotionSums& sums);

/// Largest cut-off of all forces.
double largest_cut_off(const System& system);
/// Names of all terms of the potential energy.
std::vector<std::string> term_names(const System& system);

/// The terms, and the columns that users and leaf files have added, in words.
std::string describe_forces(System& system);

/// Potential energies and virials, by term.
struct PotentialSums {
    std::vector<EnergyVirial> of_force;
    EnergyVirial total;  ///< with what virtual sites add to the virial
};

/// Sums over velocities at the time of the positions.
struct Kinetics {
    MotionSums sums;
    core::Sym3d constraint_virial{};
    std::vector<double> twice_kinetic;  ///< of each group of the coupling
};

struct ListStatistics {
    std::int64_t searches = 0, prunings = 0, steps = 0, early_prunings = 0;
    double outer_tiles = 0, inner_tiles = 0;    ///< 4 × 4 tiles per particle at the last ones
    double outer_buffer = 0, inner_buffer = 0;  ///< widths of inexact lists
};

/// Named runs of bytes: what a checkpoint keeps of an engine.
using StateBlocks = std::map<std::string, std::vector<std::byte>>;

/// Energy and virial of each particle, half of every pair's to each; [n] in local order. On several
/// ranks, of those that this one owns.
struct ParticleSums {
    std::vector<double> energy;
    std::vector<core::Sym3d> virial;
};

/// The constraint that turned most in one step, of those that were looked at.
struct LargestRotation {
    Tag tag_a = no_tag, tag_b = no_tag;
    double angle = 0;  ///< [rad]
    std::int64_t step = 0;
};

/// The search for the largest rotation.
struct RotationCheck {
    LargestRotation turn;
    std::int64_t at = 0;  ///< the step of the last look
};

/// The code that makes steps on a device: lists, force evaluation, stages.
class Engine {
  public:
    virtual ~Engine() = default;
    /// Forces for the positions as they are; a new search, as anything may have been edited.
    virtual void prepare() = 0;
    /// Makes steps. Throws core::BlowUpError. The half kick that closes the last one may be left
    /// pending, so that the pieces in which steps are made change no bit; close_steps() makes it.
    virtual void advance(std::int64_t steps) = 0;
    /// Brings the velocities to the time of the last step's positions.
    virtual void close_steps() = 0;
    virtual PotentialSums potential() = 0;
    /// Writes the forces, [n] in local order, to device memory.
    virtual void read_forces(device::View<Vec3d> to) = 0;
    virtual MotionSums motion_sums() = 0;
    /// Sums that temperature and pressure need beside the potential; forces must be current.
    virtual Kinetics kinetics() = 0;
    /// Steepest descent: its start, where `tail` is added to all energies; and a trial, which is
    /// undone if it does not lower the energy.
    virtual DescentMemory begin_descent(double step, double tail) = 0;
    virtual DescentMemory descend() = 0;
    /// Moves particles until constraints are satisfied, and removes the velocities that would
    /// violate them.
    virtual void satisfy_constraints() = 0;
    /// Takes off the drift of the whole, and its rotation where that is wanted.
    virtual void stop_whole() = 0;
    /// The largest rotation in some of the steps at which lists were renewed, since the last call.
    virtual LargestRotation take_largest_rotation() = 0;
    virtual ParticleSums particle_sums() = 0;
    /// The minimiser FIRE, whose steps advance() makes where the scheme is `fire`: the decision
    /// about the first step, and what was decided last. Steps after convergence are none.
    virtual void begin_fire(const FireSpec& spec) = 0;
    virtual FireState fire() = 0;
    /// The lists, so that a restart goes on bit by bit; the particles are saved by their owner.
    virtual void save(StateBlocks& to) = 0;
    /// Throws core::FileError for blocks that do not fit the particles.
    virtual void restore(const StateBlocks& from) = 0;
    virtual ListTuning tuning() const = 0;
    virtual void set_tuning(const ListTuning&) = 0;
    virtual ListStatistics statistics() const = 0;
    virtual core::Profile& profile() = 0;
    /// The stages of a step, a line each.
    virtual std::string describe() = 0;
};

/// Forces [n] in local order.
std::vector<Vec3d> download_forces(device::Queue& queue, Engine& engine, std::int64_t n);

/// Cluster pairs on a host device, in mixed or double precision.
template <class T>
std::unique_ptr<Engine> make_cluster_engine(device::Queue& queue, System& system);
/// Flat lists on any device.
template <class T>
std::unique_ptr<Engine> make_flat_engine(device::Queue& queue, System& system);

}  // namespace aureole::md
