// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "core/platform.hpp"
#include "md/simulation/simulation.hpp"

// Small systems that tests start from.
namespace aureole::md::testing {

inline bool hostile_environment() {
    return device::Device::host({.threads = 1, .pin = false}).hostile();
}

/// A number of steps, fewer of them where each is slow.
inline std::int64_t steps(std::int64_t n) {
    static const bool hostile = hostile_environment();
    return core::sanitized || hostile ? std::max<std::int64_t>(n / 10, 4) : n;
}

/// A folder of this process alone, since tests run side by side; removed with what is in it.
struct ScratchFolder {
    const pid_t owner = ::getpid();
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("aureole_md_" + std::to_string(owner));

    ScratchFolder() { std::filesystem::create_directories(path); }
    ~ScratchFolder() {
        std::error_code ignored;
        if (owner == ::getpid()) std::filesystem::remove_all(path, ignored);  // no fork does
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
};

inline std::filesystem::path scratch_file(const std::string& name) {
    static const ScratchFolder folder;
    return folder.path / (name + ".ckpt");
}

struct Start {
    core::Box box;
    ParticleData particles;
    int n_types = 1;
};

inline void complete(Start& start, double kT, std::uint64_t seed, int n_types) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal(0, std::sqrt(kT));
    auto& p = start.particles;
    const auto n = p.position.size();
    start.n_types = n_types;
    p.velocity.resize(n), p.image.resize(n);
    p.mass.assign(n, 1.0);
    p.type.resize(n);
    Vec3d mean{};
    for (auto& v : p.velocity) v = {normal(engine), normal(engine), normal(engine)}, mean += v;
    for (auto& v : p.velocity) v -= (1 / static_cast<double>(n)) * mean;
    for (std::size_t i = 0; i < n; ++i)
        p.type[i] = static_cast<std::int32_t>(engine() % static_cast<std::uint64_t>(n_types));
    for (std::size_t i = 0; i < n; ++i) start.box.wrap(p.position[i], p.image[i]);
}

/// An fcc crystal of cells³ cubic cells whose particles are displaced by `noise`.
inline Start fcc(int cells, double density, double noise, double kT = 1, std::uint64_t seed = 1,
                 int n_types = 1) {
    Start start;
    const double a = std::cbrt(4 / density), length = a * cells;
    start.box = {length, length, length};
    std::mt19937_64 engine(seed + 1000);
    std::normal_distribution<double> normal(0, noise);
    const Vec3d basis[] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    for (int x = 0; x < cells; ++x)
        for (int y = 0; y < cells; ++y)
            for (int z = 0; z < cells; ++z)
                for (const auto& b : basis) {
                    const Vec3d r = a * (Vec3d{double(x), double(y), double(z)} + b);
                    const Vec3d off{normal(engine), normal(engine), normal(engine)};
                    start.particles.position.push_back(
                        r - Vec3d{length / 2, length / 2, length / 2} + off);
                }
    complete(start, kT, seed, n_types);
    return start;
}

/// Particles dropped at random into a box, none closer to another than `apart`.
inline Start liquid(const core::Box& box, int n, double apart, double kT = 1,
                    std::uint64_t seed = 1, int n_types = 1) {
    Start start;
    start.box = box;
    std::mt19937_64 engine(seed + 2000);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    auto& position = start.particles.position;
    while (static_cast<int>(position.size()) < n) {
        const auto r = box.cartesian({uniform(engine), uniform(engine), uniform(engine)});
        bool free = true;
        for (const auto& other : position) {
            const auto d = box.minimum_image(r - other);
            if (dot(d, d) < apart * apart) {
                free = false;
                break;
            }
        }
        if (free) position.push_back(r);
    }
    complete(start, kT, seed, n_types);
    return start;
}

/// Lennard-Jones between all types, with parameters that differ a little from pair to pair.
inline PairForceSpec lennard_jones(double r_cut, EnergyMode mode = EnergyMode::none,
                                   int n_types = 1) {
    PairForceSpec spec;
    spec.potential = "LennardJones";
    spec.n_types = n_types;
    spec.mode = mode;
    for (int a = 0; a < n_types; ++a)
        for (int b = 0; b < n_types; ++b) {
            spec.parameters.push_back(1 + 0.1 * (a + b));           // epsilon
            spec.parameters.push_back(1 - 0.03 * std::abs(a - b));  // sigma
            spec.r_cut.push_back(r_cut);
            spec.r_switch.push_back(mode == EnergyMode::xplor ? 0.8 * r_cut : 0);
        }
    return spec;
}

/// The host's engine of clusters.
inline DeviceSpec host(int threads) {
    DeviceSpec spec;
    spec.name = "host", spec.threads = threads, spec.pin = false;
    return spec;
}
/// Every engine on every device of this machine. In hostile mode teams are threads that wait at
/// barriers: the tests of teams do that.
inline std::vector<DeviceSpec> everywhere() {
    std::vector<DeviceSpec> all{host(1), host(3), host(1), host(2)};
    all[2].name = all[3].name = "host-lanes";
    if (hostile_environment()) all.pop_back();
    for (const auto& row : device::list_devices())
        if (row.name != "host" && row.available) all.push_back({{.name = row.name}});
    return all;
}
inline std::string name_of(const DeviceSpec& spec) {
    std::string name;
    for (const char c : spec.name)
        if (c != '-' && c != ':') name += c;
    return name + std::to_string(spec.threads);
}

}  // namespace aureole::md::testing

namespace aureole::md {
inline void PrintTo(const DeviceSpec& spec, std::ostream* out) { *out << testing::name_of(spec); }
}  // namespace aureole::md

namespace aureole::md::testing {

inline MotionSpec nve(double dt) {
    MotionSpec motion;
    motion.dt = dt;
    return motion;
}
inline MotionSpec langevin(double dt, double kT, double gamma) {
    MotionSpec motion = nve(dt);
    motion.thermostat = GlobalThermostat::langevin, motion.kT = kT, motion.gamma = gamma;
    return motion;
}
inline MotionSpec bussi(double dt, double kT, double tau, int every) {
    MotionSpec motion = nve(dt);
    motion.thermostat = GlobalThermostat::bussi, motion.kT = kT, motion.tau = tau,
    motion.thermostat_every = every;
    return motion;
}

inline void no_interruption() {}

inline std::unique_ptr<Simulation> simulate(const Start& start, const PairForceSpec& force,
                                            const MotionSpec& motion, const DeviceSpec& device,
                                            Precision precision = Precision::mixed) {
    constexpr std::uint64_t seed = 7;
    auto sim = std::make_unique<Simulation>(device, precision, start.box, start.particles,
                                            start.n_types, seed);
    sim->add_pair(force);
    sim->set_motion(motion, {});
    return sim;
}

/// Positions and velocities by tag, positions with the boxes travelled.
struct Phase {
    std::vector<Vec3d> position, velocity;
    friend bool operator==(const Phase&, const Phase&) = default;
};

inline Phase phase(Simulation& sim) {
    auto& queue = sim.queue();
    auto& p = sim.particles();
    const auto tags = download_tags(queue, p);
    auto position = to_tag_order(download(queue, p.position), tags);
    const auto image = to_tag_order(download(queue, p.image), tags);
    for (std::size_t i = 0; i < position.size(); ++i)
        position[i] += sim.system().box.lattice(image[i].x, image[i].y, image[i].z);
    return {position, to_tag_order(download(queue, p.velocity), tags)};
}

}  // namespace aureole::md::testing
