// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "md/simulation/tests/water_systems.hpp"
#include "md/step/step_graphs.hpp"

// Steps replayed as graphs, beside the same steps launch by launch.
namespace aureole::md::testing {
namespace {

struct Run {
    std::string name;
    MotionSpec motion;
    CouplingSpec coupling;
    bool exact = true;
    bool water = false;
};
void PrintTo(const Run& r, std::ostream* out) { *out << r.name; }

CouplingSpec coupling(Thermostat thermostat, Barostat barostat, double dof) {
    CouplingSpec spec;
    spec.thermostat = thermostat, spec.every = 5;
    spec.chain = thermostat == Thermostat::nose_hoover ? 3 : 1;
    spec.groups = {{2.494, 0.1, dof, {}, {}, false}};
    auto& b = spec.barostat;
    b.kind = barostat, b.every = 10, b.tau = 2;
    b.compressibility = {7.5e-4, 7.5e-4, 7.5e-4, 0, 0, 0};
    b.pressure = {0.06, 0.06, 0.06, 0, 0, 0};
    return spec;
}

std::vector<Run> runs() {
    auto langevin_run = langevin(0.004, 1.2, 1), drifting = bussi(0.004, 1.2, 0.2, 7);
    drifting.remove_com_every = 20;
    std::vector<Run> all{{"nve", nve(0.004), {}},
                         {"tolerance", nve(0.004), {}, false},
                         {"langevin", langevin_run, {}},
                         {"bussi_and_drift", drifting, {}},
                         {"verlet", motion(Scheme::verlet, 0.004), {}}};
    const auto add_water = [&](const char* name, Scheme scheme, Thermostat t, Barostat b,
                               bool exact) {
        all.push_back(
            {name, motion(scheme, 0.001, true), coupling(t, b, 6.0 * waters - 3), exact, true});
    };
    using enum Barostat;
    add_water("water_bussi", Scheme::leap_frog, Thermostat::bussi, none, true);
    add_water("water_c_rescale", Scheme::leap_frog, Thermostat::bussi, c_rescale, false);
    add_water("water_parrinello", Scheme::leap_frog, Thermostat::nose_hoover, parrinello_rahman,
              true);
    add_water("water_berendsen", Scheme::verlet, Thermostat::berendsen, Barostat::berendsen, false);
    add_water("water_stochastic", Scheme::stochastic, Thermostat::none, c_rescale, true);
    return all;
}

DeviceSpec lanes() {
    return {{.name = "host-lanes", .threads = hostile_environment() ? 1 : 2, .pin = false}};
}

std::unique_ptr<Simulation> make(const Run& run, Graphs graphs) {
    std::unique_ptr<Simulation> sim;
    if (run.water) {
        sim = resting_water(lanes(), Coulomb::ewald);
        sim->set_coupling(run.coupling, std::vector<std::uint8_t>(atoms, 0));
        sim->set_motion(run.motion, {});
        sim->constrain_start();
    } else {
        sim = simulate(fcc(4, 0.8, 0.05, 1.2), lennard_jones(2.5), run.motion, lanes());
    }
    sim->set_list({.exact = run.exact});
    sim->use_graphs(graphs);
    return sim;
}

/// A crystal's thousand steps, a few hundred of water.
std::int64_t length_of(const Run& run) { return steps(run.water ? 200 : 1000); }

class StepGraphRuns : public ::testing::TestWithParam<Run> {};
INSTANTIATE_TEST_SUITE_P(All, StepGraphRuns, ::testing::ValuesIn(runs()),
                         [](const auto& p) { return p.param.name; });

TEST_P(StepGraphRuns, GiveTheBitsOfPlainLaunches) {
    const auto& run = GetParam();
    const auto n = length_of(run);
    const auto graphs = make(run, Graphs::always), plain = make(run, Graphs::never);
    graphs->run(n, no_interruption), plain->run(n, no_interruption);
    EXPECT_TRUE(phase(*graphs) == phase(*plain));
    EXPECT_EQ(graphs->system().box.lx, plain->system().box.lx);
    EXPECT_EQ(graphs->thermo().potential, plain->thermo().potential);
    EXPECT_EQ(graphs->statistics().searches, plain->statistics().searches);
    EXPECT_GT(graphs->statistics().searches, hostile_environment() || core::sanitized ? 0 : 3);
    EXPECT_EQ(graphs->take_remark(), "");
}

/// Restarts, in the middle of a list's lifetime and of a thermostat's interval.
TEST_P(StepGraphRuns, GoOnFromCheckpointsToTheBit) {
    const auto& run = GetParam();
    const auto whole = make(run, Graphs::always);
    for (const int before : {13, 37}) {
        whole->run(before, no_interruption);
        const auto path = scratch_file("graphs_" + run.name);
        whole->write_checkpoint(path, "");
        std::string extra;
        const auto again = Simulation::read_checkpoint(path, lanes(), extra);
        again->use_graphs(before == 13 ? Graphs::always : Graphs::never);
        whole->run(30, no_interruption), again->run(30, no_interruption);
        EXPECT_TRUE(phase(*whole) == phase(*again)) << before;
    }
}

/// Once graphs are recorded, a step is a submission, and a segment has one more.
TEST(StepGraphCounts, AStepIsOneSubmission) {
    if (hostile_environment() || core::sanitized)
        GTEST_SKIP() << "long, and the same code as otherwise";
    for (const auto& run : runs()) {
        if (run.exact) continue;  // exact lists are looked at in every ten steps
        const auto sim = make(run, Graphs::always);
        sim->run(500, no_interruption);
        const auto before = sim->queue().counts();
        const auto lists = sim->statistics().searches;
        sim->run(300, no_interruption);
        const auto after = sim->queue().counts();
        const auto made = sim->statistics().searches - lists + 1;
        EXPECT_GT(made, 2) << run.name;
        // How many runs of steps the host makes of 300 depends on how busy it is; each ends with a
        // look.
        constexpr std::int64_t of_list = 6, of_sort = 40, of_look = 4;
        EXPECT_LE(after.launches - before.launches, 300 + of_list * made +
                                                        of_sort * (made / 16 + 1) +
                                                        of_look * (after.looks - before.looks))
            << run.name;
    }
}

/// Launches of a step within a list's lifetime, one by one. Runs of 8 and 11 steps are made in as
/// many pieces, unless the list is renewed between.
double launches_a_step(Simulation& sim) {
    sim.use_graphs(Graphs::never);
    sim.run(20, no_interruption);
    const auto launches = [&](std::int64_t n) {
        const auto before = sim.queue().counts().launches;
        sim.run(n, no_interruption);
        return sim.queue().counts().launches - before;
    };
    for (int tries = 0; tries < 100; ++tries) {
        const auto searches = sim.statistics().searches;
        const auto few = launches(8), more = launches(11);
        if (sim.statistics().searches == searches) return static_cast<double>(more - few) / 3;
    }
    return 1e9;
}

/// What single steps give a device: launches, copies and fills, and how often the host looks. The
/// least of those that make no list, a list, and one that sorts.
struct OfSteps {
    static constexpr std::int64_t none = INT64_MAX;
    std::int64_t work = none, looks = none;

    void take(std::int64_t more_work, std::int64_t more_looks) {
        work = std::min(work, more_work), looks = std::min(looks, more_looks);
    }
};
std::array<OfSteps, 3> single_steps(Simulation& sim, int steps) {
    std::array<OfSteps, 3> of;
    for (int k = 0; k < steps; ++k) {
        const auto before = sim.queue().counts();
        const auto lists = sim.statistics().searches;
        const auto order = sim.system().particles.generation;
        sim.run(1, no_interruption);
        const auto after = sim.queue().counts();
        const bool list = sim.statistics().searches > lists,
                   sort = sim.system().particles.generation != order;
        of[sort   ? 2
           : list ? 1
                  : 0]
            .take(after.launches - before.launches + after.copies - before.copies,
                  after.looks - before.looks);
    }
    return of;
}

/// A run of one step waits for its list. Within runs, the look at the end of the steps before is
/// the only one.
TEST(StepLaunches, OfListsAreFew) {
    if (hostile_environment() || core::sanitized)
        GTEST_SKIP() << "long, and the same code as otherwise";
    for (const char* algorithm : {"lanes", "tiles"}) {
        auto device = lanes();
        device.algorithm = algorithm;
        const auto sim = three_site_water(device, Coulomb::ewald);
        sim->add_bonded("harmonic_bond", {0, 3, 6, 9}, {0, 0}, {0.3, 100});
        sim->add_bonded("harmonic_angle", {0, 3, 6}, {0}, {1.5, 10});
        sim->set_motion(motion(Scheme::leap_frog, 0.001, true), {});
        sim->set_list({.exact = false});
        sim->constrain_start();
        sim->use_graphs(Graphs::never);
        sim->run(260, no_interruption);  // until lists need no look in each step
        const auto [none, list, sort] = single_steps(*sim, 300);
        constexpr std::int64_t of_waiting = 2;  // a copy, and the state reset
        EXPECT_LE(list.work, none.work + 6 + of_waiting) << algorithm;
        EXPECT_LE(list.looks, none.looks + 1) << algorithm;
        EXPECT_LE(sort.work, none.work + 6 + of_waiting + 40) << algorithm;
        EXPECT_LE(sort.looks, none.looks + 4) << algorithm;
    }
}

/// The counts of docs/reference/launches-of-a-step.md.
TEST(StepLaunches, AreFew) {
    if (hostile_environment() || core::sanitized)
        GTEST_SKIP() << "long, and the same code as otherwise";
    const auto melt = [](const MotionSpec& m) {
        return simulate(fcc(4, 0.8, 0.05, 1.2), lennard_jones(2.5), m, lanes());
    };
    EXPECT_EQ(launches_a_step(*melt(nve(0.002))), 2);
    EXPECT_EQ(launches_a_step(*melt(langevin(0.002, 1.2, 1))), 2);
    const auto water = [](Coulomb coulomb, bool bonds, bool tiles = false) {
        auto device = lanes();
        if (tiles) device.algorithm = "tiles";
        auto sim = three_site_water(device, coulomb);
        if (bonds) {
            sim->add_bonded("harmonic_bond", {0, 3, 6, 9}, {0, 0}, {0.3, 100});
            sim->add_bonded("harmonic_angle", {0, 3, 6}, {0}, {1.5, 10});
        }
        sim->set_motion(motion(Scheme::leap_frog, 0.001, true), {});
        sim->constrain_start();
        return sim;
    };
    EXPECT_EQ(launches_a_step(*water(Coulomb::reaction_field, false)), 2);
    EXPECT_EQ(launches_a_step(*water(Coulomb::reaction_field, true)), 3);
    EXPECT_EQ(launches_a_step(*water(Coulomb::reaction_field, true, true)), 3);
    // On hosts the transforms and the factors of modes between them are one.
    EXPECT_EQ(launches_a_step(*water(Coulomb::ewald, true)), 7);
    EXPECT_EQ(launches_a_step(*water(Coulomb::ewald, true, true)), 7);
}

TEST(StepGraphErrors, ARecordingThatFailsIsSaidOnce) {
    auto device = device::Device::host({.threads = 1, .pin = false});
    device::Queue queue(device);
    StepGraphs graphs;
    StepMemory memory;
    int made = 0;
    const auto part = [&] {
        ++made;
        memory.kick_pending = !memory.kick_pending;
        if (made > 1) device::Buffer<double>(queue, 5);  // not while it is recorded
    };
    const StepGraphs::Kind kind{StepPart::to_next_forces, 1, {}};
    const auto frozen = [] { return StepGraphs::Frozen{1, 1}; };
    graphs.make(queue, kind, memory, frozen, part);
    EXPECT_EQ(graphs.take_remark(), "");
    memory = {};
    graphs.make(queue, kind, memory, frozen, part);
    EXPECT_EQ(made, 3);  // tried, and made
    EXPECT_TRUE(memory.kick_pending);
    EXPECT_TRUE(graphs.failed());
    EXPECT_NE(graphs.take_remark().find("launch by launch"), std::string::npos);
    EXPECT_EQ(graphs.take_remark(), "");
    graphs.make(queue, kind, memory, frozen, part);
    EXPECT_EQ(made, 4);
}

}  // namespace
}  // namespace aureole::md::testing
