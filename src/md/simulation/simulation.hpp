// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/open.hpp"
#include "device/queue.hpp"
#include "md/checkpoint/shared_checkpoint.hpp"
#include "md/system/engine.hpp"

namespace aureole::md {

enum class Precision { mixed, full };

/// Also named "host-lanes", for tests: a host with flat lists.
struct DeviceSpec : device::OpenOptions {
    std::string algorithm = "auto";  ///< "clusters" (host only), "lanes", or what suits the device
    core::Vec3i grid{};              ///< of ranks; zeros: chosen
};

/// Whether flat lists are used instead of cluster lists. Throws core::Error
/// for what the device does not have.
bool uses_flat_lists(const DeviceSpec& spec);

/// State of the whole system at one step.
struct Thermo {
    double potential = 0, kinetic = 0, temperature = 0, pressure = 0, dof = 0;
    core::Sym3d virial{}, pressure_tensor{};
    Vec3d momentum{};
    std::vector<EnergyVirial> of_force;  ///< tail corrections included
    core::Sym3d constraint_virial{};
    double given = 0;                        ///< by thermostats and barostats since the start
    std::vector<double> group_temperatures;  ///< of the coupling
};

struct FireResult {
    bool converged = false;
    std::int64_t steps = 0;
    double max_force = 0, energy = 0;
};

/// Steepest descent.
struct DescentSpec {
    double force_tolerance = 10;  ///< largest force on any particle [energy/length]
    double step = 0.01;           ///< first displacement of the particle with the largest force
    std::int64_t max_steps = 1000;
    double least_step = 1e-9;  ///< shortest displacement
};
struct DescentState {
    std::int64_t steps;
    double step, energy, max_force;
    Tag tag;  ///< the particle with the largest force
};

/// A system of particles with its forces and motion on one device.
class Simulation {
  public:
    /// `world`: the ranks that share it, all of which make and use it in the same way, with the
    /// same arguments; null: one.
    Simulation(const DeviceSpec& device, Precision precision, const core::Box& box,
               const ParticleData& particles, int n_types, std::uint64_t seed,
               comm::World* world = nullptr);

    void add_pair(PairForceSpec spec);
    /// Takes away all forces, bonded terms and exclusions among them; constraints, virtual sites
    /// and what couplings remember stay.
    void clear_forces();
    void set_nonbonded(NonbondedSpec spec);
    /// Pairs that do not interact through non-bonded forces; see Exclusions.
    void set_exclusions(Exclusions exclusions);
    /// Adds bonded terms (docs/howto/add-a-bonded-term.md): name of the kind, [n][k] tags, [n]
    /// rows, [rows][p] parameters.
    void add_bonded(const std::string& name, std::vector<Tag> particles,
                    std::vector<std::int32_t> rows, std::vector<double> parameters);
    /// An external force (docs/howto/add-an-external-force.md).
    void add_external(ExternalSpec spec);
    /// A stage of each step (docs/howto/add-a-stage.md).
    void add_stage(StageSpec spec);
    void set_bonded_constants(BondedConstants constants);
    /// Ewald's reciprocal-space sum for the charges of set_nonbonded(), with Coulomb::ewald.
    void set_mesh(const MeshSpec& mesh);
    void set_list(const ListSpec& list);
    void set_constraints(ConstraintSpec spec);
    void set_sites(SiteSpec spec);
    void set_dispersion(TailCorrection wanted);
    /// Thermostat groups, and the one of each tag; nothing acts unless MotionSpec::coupled.
    void set_coupling(CouplingSpec spec, const std::vector<std::uint8_t>& group_of_tag);
    /// The time of step 0, which couplings, fields and external forces follow.
    void set_start(double start);
    void set_electric_field(const ElectricField& field);
    /// [n] bits of axes (1, 2, 4) along which each tag moves.
    void set_free_axes(const std::vector<std::uint8_t>& axes);
    /// Groups whose drift is taken off separately, counted from 0.
    void set_drift_groups(std::vector<std::uint8_t> group_of_tag);
    /// `moves` [n] in tag order, or empty: all particles move as far as their axes are free.
    void set_motion(const MotionSpec& motion, const std::vector<std::uint8_t>& moves);

    /// Makes up to `steps` steps and returns how many; `interrupted` is asked between runs of steps
    /// of about a tenth of a second. Throws core::BlowUpError.
    std::int64_t run(std::int64_t steps, const std::function<void()>& interrupted);
    FireResult minimize(const FireSpec& spec, const std::function<void()>& interrupted);
    /// Follows the forces downhill, with constraints satisfied; `tell` is called after every step.
    FireResult descend(const DescentSpec& spec,
                       const std::function<void(const DescentState&)>& tell);
    /// Satisfies the constraints and removes velocities along them.
    void constrain_start();
    /// Removes the centre-of-mass motion that steps remove periodically.
    void stop_whole();
    /// Maxwell-Boltzmann velocities of exactly kT, without net momentum; by the seed of all random
    /// numbers where none is given.
    void thermalize(double kT, std::optional<std::uint64_t> seed = {});

    Thermo thermo();
    std::vector<Vec3d> forces();
    /// Writes the forces to device memory.
    void read_forces(device::Buffer<Vec3d>& to);
    ParticleSums particle_sums();

    /// Values of all particles by tag, from those of the particles that this rank has, in local
    /// order.
    template <class T>
    std::vector<T> by_tag(const std::vector<T>& local);
    /// Whether this rank has but a part of the particles.
    bool divided() const { return system_.domain != nullptr; }

    const System& system() const { return system_; }
    Particles& particles() { return system_.particles; }
    device::Queue& queue() { return *queue_; }
    device::Device& device() { return *device_; }
    Precision precision() const { return precision_; }
    const DeviceSpec& device_spec() const { return device_spec_; }
    ListStatistics statistics();
    /// Counts of all runs so far, without minimisations.
    const StepCounts& counts() const { return system_.counts; }
    /// Seconds by StepRegion.
    using RegionSeconds = std::array<double, static_cast<std::size_t>(StepRegion::count)>;
    /// Seconds by region of each rank, in the order of ranks. All ranks call it together.
    std::vector<RegionSeconds> profiles();
    /// See Engine::take_largest_rotation().
    LargestRotation take_largest_rotation();
    ListTuning tuning();
    TileCounts tile_counts() { return engine_ ? engine_->tile_counts() : TileCounts{}; }
    /// How ranks divide the box; zeros where they do not.
    core::Vec3i rank_grid() const { return domain_ ? domain_->grid().n : core::Vec3i{}; }
    /// Remark about the ranks or the device, to be shown once; empty for none.
    std::string take_remark();
    /// The stages of a step, a line each.
    std::string describe();
    /// Whether stages may be fused to one kernel, which changes no bit; for tests.
    void fuse_stages(bool fuse);
    /// Where steps are graphs; for tests.
    void use_graphs(Graphs graphs);
    Profile* profile() { return engine_ ? &engine_->profile() : nullptr; }

    /// Adds a column of the user's with values [n] in tag order, or sets those it has.
    void set_column(ElementType type, ColumnSpec spec, std::span<const std::byte> by_tag);

    void set_step(std::int64_t step);
    /// To be called when a column was changed from outside.
    void edited();
    void set_masses(const std::vector<double>& local);

    /// All ranks call these together; files of any number of ranks can be read. Ranks make new
    /// lists after they have written a file, as after reading it: both go on with the same bits if
    /// the number of ranks is the same.
    void write_checkpoint(const std::filesystem::path& path, const std::string& extra);
    static std::unique_ptr<Simulation> read_checkpoint(const std::filesystem::path& path,
                                                       const DeviceSpec& device, std::string& extra,
                                                       comm::World* world = nullptr);

  private:
    Simulation(const DeviceSpec& device, Precision precision);
    bool wants_tiles() const;
    void make_engine();
    void put_common(StateBlocks& blocks, const std::string& extra) const;
    template <class Make>
    void make_readable(Make&& make) const;
    /// Deals the particles out to the ranks, and takes them back, which forgets the engine.
    void divide();
    void unite();
    void check_ranks() const;
    halo::RankGrid chosen_grid(const Vec3d& extent);
    /// Tail corrections of each of the potentials; zeros where none is wanted.
    std::vector<EnergyVirial> tails_of_forces(double volume);
    /// Makes the engine where there is none, and gives it what was changed.
    /// @throws core::Error after a step that could not be finished
    void ready();
    /// Has the engine make steps; remembers an error, as the state is that of no step then.
    template <class Steps>
    void make_steps(Steps&& steps);
    template <class Work>
    FireResult with_exact_lists(Work&& work);
    FireResult follow_forces(const DescentSpec& spec,
                             const std::function<void(const DescentState&)>& tell);
    void check_cut_offs() const;
    void check_molecules();
    void check_motion() const;
    void derive_moves();
    [[noreturn]] void report_not_finite(const std::string& what);

    DeviceSpec device_spec_;
    Precision precision_;
    std::unique_ptr<device::Device> device_;
    std::unique_ptr<device::Queue> queue_;
    System system_;
    comm::World* world_ = nullptr;  ///< null: one rank
    std::optional<Domain> domain_;
    std::string remark_;
    std::optional<Division> division_;  ///< of the checkpoint just read, until ranks have theirs
    std::unique_ptr<Engine> engine_;
    bool dirty_ = true;
    std::string stopped_by_;  ///< the error that ended a step
};

template <class T>
std::vector<T> Simulation::by_tag(const std::vector<T>& local) {
    return system_.by_tag(local, download_tags(*queue_, system_.particles));
}

template <class Steps>
void Simulation::make_steps(Steps&& steps) {
    try {
        steps();
    } catch (const std::exception& error) {
        stopped_by_ = error.what();
        throw;
    }
}

}  // namespace aureole::md
