// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>

#include "md/checkpoint/state_blocks.hpp"
#include "md/simulation/tests/molecules_systems.hpp"

// Whatever a simulation can be told, and whatever it may come to in a run, its checkpoints are read
// again. What they would refuse is refused before, or no file is written.
namespace aureole::md::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double huge = 1e299;
constexpr int most = std::numeric_limits<int>::max();

/// A system in an extreme state that is valid.
struct Extreme {
    const char* name;
    std::function<Start()> start;
    std::function<void(Simulation&)> tell;
};
void PrintTo(const Extreme& e, std::ostream* out) { *out << e.name; }

Start two_atoms(double apart, double speed, const core::Box& box) {
    Start start;
    start.box = box;
    start.n_types = 1;
    auto& p = start.particles;
    p.position = {{-apart / 2, 0, 0}, {apart / 2, 0, 0}};
    p.velocity = {{-speed, 0, 0}, {speed, 0, 0}};
    p.mass = {1, 1}, p.type = {0, 0}, p.image = {{}, {}};
    return start;
}

Start open_pair(double apart, double speed) {
    return two_atoms(apart, speed, {20, 20, 20, 0, 0, 0, false, false, false});
}

Start small_liquid() { return fcc(4, 0.6, 0.02, 0.8); }

void move(Simulation& sim, const std::function<void(MotionSpec&)>& change) {
    auto motion = nve(0.001);
    change(motion);
    sim.set_motion(motion, {});
}

void couple(Simulation& sim, const std::function<void(CouplingSpec&)>& change) {
    CouplingSpec coupling;
    coupling.thermostat = Thermostat::nose_hoover, coupling.every = 1;
    const auto n = static_cast<std::size_t>(sim.system().n_total());
    coupling.groups = {{0.8, 0.1, 3.0 * static_cast<double>(n) - 3, {}, {}, false}};
    change(coupling);
    sim.set_coupling(coupling, std::vector<std::uint8_t>(n, 0));
    sim.set_motion(motion(Scheme::verlet, 0.001, true), {});
}

std::vector<Extreme> extremes() {
    const auto list = [](const ListSpec& spec) {
        return [spec](Simulation& sim) { sim.set_list(spec); };
    };
    const ListSpec by_hand{.exact = false, .buffer = 0.2, .outer_lifetime = 10};
    const auto nothing = [](Simulation&) {};
    const auto changed = [](const std::function<void(MotionSpec&)>& change) {
        return [change](Simulation& sim) { move(sim, change); };
    };
    const auto coupled = [](const std::function<void(CouplingSpec&)>& change) {
        return [change](Simulation& sim) { couple(sim, change); };
    };
    return {
        {"apart_at_rest", [] { return open_pair(12, 0); }, nothing},
        {"apart_at_rest_by_hand", [] { return open_pair(12, 0); }, list(by_hand)},
        {"apart_by_hand", [] { return open_pair(12, 1); }, list(by_hand)},
        {"apart_and_fast", [] { return open_pair(12, 100); }, list(by_hand)},
        {"very_far_apart", [] { return open_pair(1e9, 1); }, list(by_hand)},
        {"near_at_rest_by_hand", [] { return open_pair(1.2, 0); }, list(by_hand)},
        {"huge_box",
         [] {
             return two_atoms(5e9, 1, {1e10, 1e10, 1e10});
         },
         nothing},
        {"at_rest", small_liquid, [](Simulation& sim) { sim.thermalize(0, 1); }},
        {"hardly_any_time", small_liquid, changed([](auto& m) { m.dt = 1e-290; })},
        {"friction", small_liquid, changed([](auto& m) {
             m.thermostat = GlobalThermostat::langevin, m.kT = 0.5, m.gamma = huge;
         })},
        {"no_temperature", small_liquid, changed([](auto& m) {
             m.thermostat = GlobalThermostat::langevin, m.kT = 0, m.gamma = 1;
         })},
        {"slow_bussi", small_liquid, changed([](auto& m) {
             m.thermostat = GlobalThermostat::bussi, m.kT = 0.5, m.tau = huge;
             m.thermostat_every = most;
         })},
        {"longest_moves", small_liquid, changed([](auto& m) { m.longest_move = huge; })},
        {"seldom_without_drift", small_liquid, changed([](auto& m) { m.remove_com_every = most; })},
        {"as_many_degrees", small_liquid, changed([](auto& m) { m.dof = huge; })},
        {"loose_list", small_liquid, list({.exact = false, .tolerance = huge})},
        {"tight_list", small_liquid, list({.exact = false, .tolerance = 1e-290})},
        {"lasting_list", small_liquid,
         list({.exact = false, .buffer = 0.3, .outer_lifetime = most})},
        {"longest_chain", small_liquid, coupled([](auto& c) { c.chain = longest_chain; })},
        {"hot_chain", small_liquid, coupled([](auto& c) { c.groups[0].kT = 1e-3, c.chain = 10; })},
        {"seldom_coupled", small_liquid, coupled([](auto& c) { c.every = most; })},
        {"late_start", small_liquid, coupled([](auto& c) { c.start = -huge; })},
        {"stiff_box", small_liquid, coupled([](auto& c) {
             c.barostat.kind = Barostat::parrinello_rahman, c.barostat.tau = 1e100;
             c.barostat.compressibility = {1, 1, 1, 0, 0, 0};
             c.barostat.every = 1;
         })},
        {"late_step", small_liquid, [](Simulation& sim) { sim.set_step(INT64_MAX / 4); }},
    };
}

class ExtremeStates : public ::testing::TestWithParam<std::tuple<DeviceSpec, Extreme>> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, ExtremeStates,
                         ::testing::Combine(::testing::Values(host(1), everywhere()[2]),
                                            ::testing::ValuesIn(extremes())),
                         [](const auto& p) {
                             return name_of(std::get<0>(p.param)) + "_" + std::get<1>(p.param).name;
                         });

TEST_P(ExtremeStates, GoOnFromTheirCheckpointsToTheBit) {
    const auto& [device, extreme] = GetParam();
    const auto start = extreme.start();
    const auto sim = simulate(start, lennard_jones(2), nve(0.001), device, Precision::full);
    extreme.tell(*sim);
    sim->run(3, no_interruption);
    const auto path = scratch_file("extreme");
    sim->write_checkpoint(path, "");
    std::string extra;
    const auto read = Simulation::read_checkpoint(path, device, extra);
    std::filesystem::remove(path);
    for (const auto& one : {sim.get(), read.get()}) one->run(4, no_interruption);
    EXPECT_EQ(phase(*sim), phase(*read));
    EXPECT_EQ(sim->system().step, read->system().step);
}

/// A setting that the reader would refuse is refused when it is made.
TEST(ImpossibleStates, AreRefusedAsSettings) {
    const auto sim = simulate(small_liquid(), lennard_jones(2), nve(0.001), host(1));
    for (const double wrong : {infinity, -1.0, std::nan("")}) {
        for (double MotionSpec::*member : {&MotionSpec::kT, &MotionSpec::gamma, &MotionSpec::tau,
                                           &MotionSpec::longest_move, &MotionSpec::dof}) {
            auto motion = nve(0.001);
            motion.*member = wrong;
            EXPECT_THROW(sim->set_motion(motion, {}), core::InputError);
        }
        EXPECT_THROW(sim->set_list({.exact = false, .tolerance = wrong}), core::InputError);
        EXPECT_THROW(sim->set_list({.exact = false, .buffer = wrong}), core::InputError);
    }
    EXPECT_THROW(couple(*sim, [](auto& c) { c.chain = longest_chain + 1; }), core::InputError);
    EXPECT_THROW(couple(*sim, [](auto& c) { c.start = infinity; }), core::InputError);
}

/// A state that became impossible in a run is not written: the earlier file stays.
TEST(ImpossibleStates, AreNotWritten) {
    const auto sim = simulate(small_liquid(), lennard_jones(2), nve(0.001), host(1));
    const auto path = scratch_file("impossible");
    sim->write_checkpoint(path, "");
    sim->run(2, no_interruption);
    auto velocity = download(sim->queue(), sim->particles().velocity);
    velocity[3].y = std::nan("");
    device::copy_from_host(sim->queue(), sim->particles().velocity.view(), velocity.data());
    try {
        sim->write_checkpoint(path, "");
        ADD_FAILURE() << "it was written";
    } catch (const core::BlowUpError& error) {
        EXPECT_EQ(error.what_happened.force, "velocity");
        EXPECT_EQ(error.what_happened.step, 2);
        EXPECT_NE(std::string(error.what()).find("no checkpoint is written at step 2"),
                  std::string::npos);
    }
    std::string extra;
    EXPECT_EQ(Simulation::read_checkpoint(path, host(1), extra)->system().step, 0);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace aureole::md::testing
