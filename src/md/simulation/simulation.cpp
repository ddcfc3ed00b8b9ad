// SPDX-License-Identifier: Apache-2.0
#include "md/simulation/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "comm/run_until.hpp"
#include "core/error.hpp"
#include "md/box/longest_cut_off.hpp"
#include "md/checkpoint/molecules_state.hpp"
#include "md/checkpoint/restored_state.hpp"
#include "md/context/blow_up.hpp"
#include "md/integrate/molecules.kernel.hpp"
#include "md/simulation/check_particles.hpp"
#include "md/system/engine.hpp"

namespace aureole::md {

namespace {

/// Cluster pairs mark by one bit each which threads a group of clusters has forces from.
constexpr int most_host_threads = 64;

std::unique_ptr<device::Device> open_device(const DeviceSpec& spec) {
    device::OpenOptions options = spec;
    if (options.name == "host-lanes") options.name = "host";
    return std::make_unique<device::Device>(device::open(options, most_host_threads));
}

std::vector<std::int64_t> count_types(device::Queue& queue, const System& system, int n_types) {
    std::vector<std::int64_t> count(static_cast<std::size_t>(n_types), 0);
    for (const auto t : download(queue, system.particles.type)) {
        const auto type = static_cast<std::size_t>(t);
        if (type >= count.size()) count.resize(type + 1);  // unknown without forces
        ++count[type];
    }
    count.resize(static_cast<std::size_t>(
        system.combine(static_cast<std::int64_t>(count.size()), device::Max{})));
    for (auto& one : count) one = system.combine(one);
    return count;
}

}  // namespace

bool uses_flat_lists(const DeviceSpec& spec) {
    if (spec.algorithm == "lanes" || spec.algorithm == "tiles") return true;
    const bool needs = spec.name == "host-lanes" || device::gpu_index(spec.name) >= 0;
    if (spec.algorithm == "auto") return needs;
    if (spec.algorithm != "clusters")
        throw core::InputError("there is no algorithm '" + spec.algorithm + "'",
                               "there are three kinds of pair lists",
                               "Choose clusters, flat, tiles or auto.");
    if (needs)
        throw core::DeviceError("the algorithm 'clusters' cannot run on device '" + spec.name + "'",
                                "it is written for CPUs", "Choose flat or auto.");
    return false;
}

Simulation::Simulation(const DeviceSpec& spec, Precision precision)
    : device_spec_(spec),
      precision_(precision),
      device_(open_device(spec)),
      queue_(std::make_unique<device::Queue>(*device_)) {}

Simulation::Simulation(const DeviceSpec& spec, Precision precision, const core::Box& box,
                       const ParticleData& particles, int n_types, std::uint64_t seed,
                       comm::World* world)
    : Simulation(spec, precision) {
    if (world != nullptr && world->size() > 1) world_ = world;
    check(box);
    check(particles, n_types);
    system_.box = box;
    system_.seed = seed;
    system_.particles = upload(*queue_, particles);
}

void Simulation::add_pair(PairForceSpec spec) {
    unite();
    system_.forces.emplace_back(std::move(spec));
    engine_.reset();
    dirty_ = true;
}

void Simulation::clear_forces() {
    unite();
    system_.forces.clear(), system_.externals.clear();
    system_.nonbonded.reset(), system_.mesh.reset();
    system_.bonded = {}, system_.exclusions = {}, system_.field = {};
    system_.tail = TailCorrection::none;
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_nonbonded(NonbondedSpec spec) {
    unite();
    Nonbonded nonbonded(std::move(spec));
    for (const auto type : download(*queue_, system_.particles.type))
        if (type < 0 || type >= nonbonded.spec().n_types)
            throw core::InputError("a particle has the type " + std::to_string(type),
                                   "the C6 and C12 tables cover " +
                                       std::to_string(nonbonded.spec().n_types) + " types",
                                   "Give rows for all types.");
    system_.nonbonded.emplace(std::move(nonbonded));
    set_bonded_constants(system_.bonded.constants());
    engine_.reset();
    dirty_ = true;
}

void Simulation::add_bonded(const std::string& name, std::vector<Tag> particles,
                            std::vector<std::int32_t> rows, std::vector<double> parameters) {
    unite();
    system_.bonded.add({name, std::move(particles), std::move(rows), std::move(parameters)},
                       system_.particles.n);
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_exclusions(Exclusions exclusions) {
    unite();
    const auto n = static_cast<std::size_t>(system_.particles.n);
    const auto wrong = [](const std::string& why) {
        return core::InputError("the exclusions are invalid", why,
                                "Give sorted and symmetric rows of partners.");
    };
    if (exclusions.start.size() != n + 1 || exclusions.start[0] != 0 ||
        exclusions.start[n] != static_cast<std::int64_t>(exclusions.partner.size()))
        throw wrong("there must be one row per particle");
    for (std::size_t i = 0; i < n; ++i) {
        if (exclusions.start[i + 1] < exclusions.start[i])
            throw wrong("a row ends before it begins");
        for (auto k = exclusions.start[i]; k < exclusions.start[i + 1]; ++k) {
            const auto j = exclusions.partner[static_cast<std::size_t>(k)];
            if (j < 0 || j >= system_.particles.n || j == static_cast<std::int64_t>(i))
                throw wrong("particle " + std::to_string(i) +
                            " excludes itself or the unknown particle " + std::to_string(j));
        }
    }
    system_.exclusions = std::move(exclusions);
    engine_.reset();
    dirty_ = true;
}

/// Chosen pairs have the constant of Coulomb's law from the non-bonded forces, where there are any.
void Simulation::set_bonded_constants(BondedConstants constants) {
    if (system_.nonbonded) constants.coulomb = system_.nonbonded->spec().unit_charge_energy();
    system_.bonded.set_constants(std::move(constants));
    engine_.reset();
    dirty_ = true;
}

void Simulation::add_external(ExternalSpec spec) {
    unite();
    check(spec, system_.box, system_.particles.n);
    system_.externals.push_back(std::move(spec));
    engine_.reset();
    dirty_ = true;
}

void Simulation::add_stage(StageSpec spec) {
    unite();
    check(spec, system_.particles.n);
    system_.stages.push_back(std::move(spec));
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_list(const ListSpec& list) {
    unite();
    if (!list.exact && !(list.tolerance > 0))
        throw core::InputError("the drift tolerance of the pair list is not positive",
                               "it bounds the energy drift per particle and time",
                               "Give a positive tolerance, or use an exact list.");
    if (const char* problem = problem_of(list))
        throw core::InputError("the pair list cannot be kept so", problem, "Correct its settings.");
    system_.list = list;
    engine_.reset();
    dirty_ = true;
}

void Simulation::set_motion(const MotionSpec& motion, const std::vector<std::uint8_t>& moves) {
    unite();
    if (!(motion.dt > 0) || !std::isfinite(motion.dt))
        throw core::InputError("the time step is not positive", "dt must be a positive number",
                               "In Lennard-Jones units, 0.005 is usual.");
    if (const char* problem = problem_of(motion))
        throw core::InputError("particles cannot move so", problem,
                               "Correct the settings of the integrator.");
    if (!moves.empty() && static_cast<std::int64_t>(moves.size()) != system_.particles.n)
        throw core::InputError("the group has the wrong length", "it needs one entry per particle",
                               "Give a filter.");
    system_.motion = motion;
    if (moves != system_.group) system_.group = moves, derive_moves();
    dirty_ = true;
}

void Simulation::check_cut_offs() const {
    const double longest = longest_cut_off(system_.box, uses_flat_lists(device_spec_));
    const auto check = [&](double r_cut, const std::string& name) {
        if (r_cut <= longest) return;
        throw core::InputError("cut-off " + std::to_string(r_cut) + " of " + name +
                                   " exceeds half the box " + std::to_string(longest),
                               "a particle would interact with two images of another",
                               "Enlarge the box or shorten the cut-off.");
    };
    for (const auto& force : system_.forces) check(force.r_cut_max(), force.name());
    if (system_.nonbonded) check(system_.nonbonded->r_cut(), "the non-bonded forces");
}

/// Tiles where they are asked for; and on GPUs for molecules, where they take fewer instructions
/// than rows of neighbours (docs/decisions/064-tiles.md).
bool Simulation::wants_tiles() const {
    if (device_spec_.algorithm != "auto") return device_spec_.algorithm == "tiles";
    constexpr std::int64_t least = 4000;  // fewer leave most of a GPU idle
    return queue_->backend() != device::Backend::host && precision_ == Precision::mixed &&
           world_ == nullptr && system_.nonbonded && system_.n_total() >= least &&
           std::ranges::all_of(system_.forces,
                               [](const auto& f) { return f.potential().reads.empty(); });
}

void Simulation::make_engine() {
    unite();  // what follows looks at all particles
    check_cut_offs();
    check_molecules();
    system_.dispersion = make_tail(*queue_, system_);
    if (world_ != nullptr && !divided()) divide();
    const bool mixed = precision_ == Precision::mixed;
    system_.tiles = wants_tiles();
    if (system_.tiles && !mixed)
        throw core::InputError("tiles cannot compute in double precision",
                               "their kernels are for mixed precision alone",
                               "Choose algorithm=\"flat\", or mixed precision.");
    if (system_.tiles && world_ != nullptr)
        throw core::InputError("tiles cannot be divided among ranks",
                               "their lists have no zones of ghosts",
                               "Choose algorithm=\"clusters\" or \"flat\", or run on one rank.");
    if (uses_flat_lists(device_spec_))
        engine_ = mixed ? make_flat_engine<float>(*queue_, system_)
                        : make_flat_engine<double>(*queue_, system_);
    else
        engine_ = mixed ? make_cluster_engine<float>(*queue_, system_)
                        : make_cluster_engine<double>(*queue_, system_);
}

void Simulation::ready() {
    if (!stopped_by_.empty())
        throw core::Error(
            "the simulation stopped in the middle of a step and cannot continue: " + stopped_by_ +
            " Continue from a checkpoint, or create a new simulation from the start.");
    if (!engine_) make_engine(), dirty_ = true;
    if (!dirty_) return;
    check_motion();
    system_.tails_of_forces = {};
    for (const auto& tail : tails_of_forces(1)) system_.tails_of_forces += tail;
    engine_->prepare();
    dirty_ = false;
}

namespace {

/// Counts the steps that are made during its life, and the collectives of them.
class CountOfRun {
  public:
    explicit CountOfRun(System& system)
        : system_(system), step_(system.step), collectives_(system.collectives()) {}
    ~CountOfRun() {
        system_.counts.steps += system_.step - step_;
        system_.counts.collectives += system_.collectives() - collectives_;
    }
    CountOfRun(const CountOfRun&) = delete;
    CountOfRun& operator=(const CountOfRun&) = delete;

  private:
    System& system_;
    const std::int64_t step_, collectives_;
};

}  // namespace

std::int64_t Simulation::run(std::int64_t steps, const std::function<void()>& interrupted) {
    if (system_.motion.dt <= 0)
        throw core::InputError("there is no integrator", "a run needs one to move the particles",
                               "Set one, for example NVE(dt=0.005).");
    if (system_.motion.scheme == Scheme::stochastic && system_.coupling.groups.empty())
        throw core::InputError("stochastic dynamics has no temperature",
                               "its noise needs coupling groups with a temperature",
                               "Set the coupling, or choose another integrator.");
    ready();
    const CountOfRun count(system_);
    std::int64_t done = 0;
    return comm::run_until(
        world_, [&] { return done >= steps; },
        [&](std::int64_t most) {
            const auto batch = std::min(most, steps - done);
            make_steps([&] { engine_->advance(batch); });
            done += batch;
            return batch;
        },
        [&] { engine_->close_steps(); }, interrupted);
}

std::vector<EnergyVirial> Simulation::tails_of_forces(double volume) {
    std::vector<EnergyVirial> tails;
    std::vector<std::int64_t> counts;  // of each type, where a tail asks for them
    for (const auto& force : system_.forces) {
        if (force.spec().tail_correction && counts.empty())
            counts = count_types(*queue_, system_, force.spec().n_types);
        tails.push_back(tail_of(force, volume, counts));
    }
    return tails;
}

Thermo Simulation::thermo() {
    ready();
    const auto potential = engine_->potential();
    const auto moving = engine_->kinetics();
    const auto& sums = moving.sums;
    Thermo t;
    t.of_force = potential.of_force;
    if (system_.dispersion.wanted())
        t.of_force.push_back(system_.dispersion.at(system_.box.volume()));
    const auto tails = tails_of_forces(system_.box.volume());
    for (std::size_t k = 0; k < tails.size(); ++k) t.of_force[k] += tails[k];
    core::Sym3d of_terms{};
    for (const auto& term : potential.of_force) of_terms += term.virial;
    for (const auto& term : t.of_force) t.potential += term.energy, t.virial += term.virial;
    t.constraint_virial = moving.constraint_virial;
    t.virial += t.constraint_virial + potential.total.virial + (-1.0) * of_terms;
    t.given = system_.coupled.heat + system_.coupled.barostat.work;
    for (std::size_t g = 0; g < moving.twice_kinetic.size(); ++g) {
        const double dof = system_.coupling.groups[g].dof;
        t.group_temperatures.push_back(dof > 0 ? moving.twice_kinetic[g] / dof : 0);
    }
    t.kinetic = 0.5 * sums.twice_kinetic.trace();
    if (!std::isfinite(t.potential + t.kinetic)) report_not_finite("energy");
    if (!std::isfinite(t.virial.trace())) report_not_finite("pressure");
    t.dof = degrees_of_freedom(system_, sums);
    t.temperature = t.dof > 0 ? 2 * t.kinetic / t.dof : 0;
    t.pressure_tensor = (1 / system_.box.volume()) * (sums.twice_kinetic + t.virial);
    t.pressure = t.pressure_tensor.trace() / 3;
    t.momentum = sums.momentum;
    return t;
}

void Simulation::report_not_finite(const std::string& what) {
    const auto tags = download_tags(*queue_, system_.particles);
    const auto energy = engine_->particle_sums().energy;
    const auto velocity = download(*queue_, system_.particles.velocity);
    // Here in double precision, where kernels may add in single precision.
    constexpr double overflows_in_kernels = 1e30;
    Tag lowest = StepState::nobody;
    for (std::size_t i = 0; i < tags.size(); ++i)
        if (!(std::abs(energy[i]) + dot(velocity[i], velocity[i]) < overflows_in_kernels))
            lowest = std::min(lowest, tags[i]);
    report_of_any(*queue_, system_, lowest);
    report_of_constraints(*queue_, system_);
    // A sum that overflows.
    struct Largest {
        double force2 = -1;
        Tag tag = no_tag;
    } largest;
    const auto force = download_forces(*queue_, *engine_, system_.particles.n);
    for (std::size_t i = 0; i < tags.size(); ++i)
        if (dot(force[i], force[i]) > largest.force2) largest = {dot(force[i], force[i]), tags[i]};
    largest = system_.combine(
        largest, [](const Largest& a, const Largest& b) { return a.force2 < b.force2 ? b : a; });
    std::array<char, 32> size{};
    std::snprintf(size.data(), size.size(), "%.4g", std::sqrt(largest.force2));
    throw core::Error("the " + what + " is not finite at step " + std::to_string(system_.step),
                      "the largest force, " + std::string(size.data()) + ", is on particle " +
                          std::to_string(largest.tag),
                      "Minimise first, shorten dt, or look for parameters or velocities that are "
                      "far too large.");
}

std::vector<Vec3d> Simulation::forces() {
    ready();
    return download_forces(*queue_, *engine_, system_.particles.n);
}

void Simulation::read_forces(device::Buffer<Vec3d>& to) {
    ready();
    to.resize(*queue_, system_.particles.n);
    engine_->read_forces(to.view());
}

ParticleSums Simulation::particle_sums() {
    ready();
    return engine_->particle_sums();
}

ListStatistics Simulation::statistics() {
    return engine_ ? engine_->statistics() : ListStatistics{};
}

std::vector<Simulation::RegionSeconds> Simulation::profiles() {
    RegionSeconds mine{};
    for (std::size_t k = 0; k < mine.size() && engine_; ++k)
        mine[k] = engine_->profile()[static_cast<StepRegion>(k)].seconds;
    return world_ != nullptr ? world_->all_gather(mine) : std::vector{mine};
}

ListTuning Simulation::tuning() { return engine_ ? engine_->tuning() : ListTuning{}; }

std::string Simulation::describe() {
    if (!engine_) make_engine(), dirty_ = true;
    check_motion();
    return engine_->describe();
}

void Simulation::fuse_stages(bool fuse) {
    system_.fuse_stages = fuse;
    dirty_ = true;
}

void Simulation::use_graphs(Graphs graphs) { system_.graphs = graphs; }

std::string Simulation::take_remark() {
    if (!remark_.empty() || !engine_) return std::exchange(remark_, {});
    return engine_->take_remark();
}

void Simulation::set_step(std::int64_t step) {
    system_.step = step;
    dirty_ = true;
}

void Simulation::set_column(ElementType type, ColumnSpec spec, std::span<const std::byte> by_tag) {
    unite();
    auto& p = system_.particles;
    auto* column = p.find_column(spec.name);
    const auto name = spec.name;
    if (column != nullptr && (!column->spec().of_user || column->type() != type))
        throw core::InputError("column '" + name + "' already exists",
                               "it belongs to the engine or has another type",
                               "Choose another name.");
    if (column == nullptr) {
        spec.of_user = true;
        column = p.more.emplace_back(make_column(type, std::move(spec))).get();
    }
    const auto each = column->element_size();
    if (by_tag.size() != static_cast<std::size_t>(p.n) * each)
        throw core::InputError("column '" + name + "' has the wrong length",
                               "there are " + std::to_string(p.n) + " particles",
                               "Give one row per particle.");
    const auto tags = download_tags(*queue_, p);
    std::vector<std::byte> local(by_tag.size());
    for (std::size_t i = 0; i < tags.size(); ++i)
        std::copy_n(by_tag.data() + each * tags[i], each, local.data() + each * i);
    column->set_bytes(*queue_, local);
    dirty_ = true;
}

void Simulation::edited() { dirty_ = true; }

void Simulation::set_masses(const std::vector<double>& local) {
    device::copy_from_host(*queue_, system_.particles.mass.view(), local.data());
    const bool uniform =
        !local.empty() && std::ranges::all_of(local, [&](double m) { return m == local[0]; });
    system_.particles.uniform_mass = uniform ? local[0] : 0;
    if (!system_.constraints.empty()) engine_.reset();  // it holds the masses of their ends
    dirty_ = true;
}

}  // namespace aureole::md
