// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>
#include "device/reduce_ops.hpp"
#include "md/bonded/bonded_terms.hpp"
#include "md/box/step_state.hpp"
#include "md/coupling/coupling.hpp"
#include "md/coupling/electric_field.hpp"
#include "md/domain/domain.hpp"
#include "md/external/external_spec.hpp"
#include "md/integrate/constraints/terms.hpp"
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

/// Where steps are recorded as graphs and replayed, which changes no bit; on devices where that
/// pays.
enum class Graphs { on_devices, always, never };

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
    bool fuse_stages = true;  ///< to one kernel, where that changes no bit; tests compare
    Graphs graphs = Graphs::on_devices;
    bool tiles = false;  ///< flat lists are of tiles
    /// The unit of forces in fixed point is 2 to this power, once one was found.
    std::optional<int> force_exponent;
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

}  // namespace aureole::md
