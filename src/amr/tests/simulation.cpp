// SPDX-License-Identifier: Apache-2.0
#include "amr/simulation.hpp"

#include <gtest/gtest.h>

#include "amr/hydro/leaves.hpp"
#include "amr/hydro/state.hpp"
#include "amr/step/look.hpp"
#include "amr/tests/problems.hpp"
#include "core/error.hpp"

namespace aureole::amr {
namespace {

using namespace testing;

constexpr const char* schedules[] = {"subgrids", "aggregate", "pack", "lanes"};

/// On hosts.
struct How {
    const char* schedule = "pack";
    int threads = 1;
    bool hostile = false;
    std::string device = "host";
    tasks::ExecutorOptions executors = {};
    int workers = 0;
    std::uint64_t seed = 0;
};

Simulation simulate(const Mesh& mesh, const Scheme& scheme, How how = {}, double gamma = 1.4) {
    return {{.name = how.device, .threads = how.threads, .pin = false, .hostile = how.hostile},
            mesh,
            gamma,
            scheme,
            {how.schedule, how.executors, how.workers, how.seed}};
}

std::vector<double> after(Simulation sim, const std::vector<double>& start, std::int64_t steps,
                          double until = no_end) {
    sim.set(start);
    sim.run(steps, until, no_interruption);
    return sim.conserved();
}

/// Root of the squares of the mean errors of all fields after one period, as AthenaK's test has it.
double acoustic_error(int roots, const Scheme& scheme) {
    const auto mesh = mesh_of({roots});
    auto sim = simulate(mesh, scheme, {}, 5.0 / 3);
    sim.set(primitive(mesh, [](Vec3d x) -> State {
        const double rise = 1e-6 * std::sin(2 * std::numbers::pi * x.x);
        return {1 + rise, rise, 0, 0, 0.6 + rise};
    }));
    const auto start = sim.conserved();
    sim.run(1'000'000, 1, no_interruption);
    EXPECT_EQ(sim.time(), 1);
    const auto end = sim.conserved();
    const auto n = static_cast<std::size_t>(mesh.cells());
    double squares = 0;
    for (std::size_t f = 0; f < fields; ++f) {
        double sum = 0;
        for (std::size_t i = f * n; i < (f + 1) * n; ++i) sum += std::abs(end[i] - start[i]);
        squares += sum * sum / static_cast<double>(n * n);
    }
    return std::sqrt(squares);
}

TEST(Fluid, SoundWaveConverges) {
    const double coarse = acoustic_error(4, plm), fine = acoustic_error(8, plm);
    EXPECT_LE(fine, 2.3e-8);
    EXPECT_LE(fine / coarse, 0.29);
    const double coarse_ppm = acoustic_error(4, ppm), fine_ppm = acoustic_error(8, ppm);
    EXPECT_LE(fine_ppm, 5e-11);
    EXPECT_LE(fine_ppm / coarse_ppm, 0.09);
}

TEST(Fluid, ShockTubesAreAlikeAlongAllAxesAndBackwards) {
    for (const auto& scheme : {plm, ppm}) {
        const auto tube = [&](int axis, bool back) {
            std::vector<int> roots(3, 1);
            roots[static_cast<std::size_t>(axis)] = 4;
            const auto mesh = mesh_of(roots, Boundary::outflow);
            const auto along = [&](Vec3d x) { return axis == 0 ? x.x : axis == 1 ? x.y : x.z; };
            const auto start =
                primitive(mesh, [&](Vec3d x) { return (along(x) < 0.5) != back ? dense : thin; });
            const auto end = after(simulate(mesh, scheme), start, 8);
            // Of one line of cells: density, momentum along it, energy.
            std::vector<State> line(32);
            const std::size_t stride = axis == 0 ? 1 : axis == 1 ? 8 : 64;
            for (std::size_t k = 0; k < 32; ++k)
                for (std::size_t f = 0; f < fields; ++f)
                    line[back ? 31 - k : k][f] = end[f * 2048 + k * stride];
            for (auto& u : line) {
                const double sign = back ? -1 : 1;
                std::swap(u[1], u[static_cast<std::size_t>(1 + axis)]);
                u[1] *= sign;
            }
            return line;
        };
        const auto first = tube(0, false);
        EXPECT_NE(first[16][1], 0);
        for (int axis = 0; axis < 3; ++axis) {
            const auto there = tube(axis, false);
            EXPECT_EQ(tube(axis, true), there);
            for (std::size_t k = 0; k < first.size(); ++k)  // time steps add up the axes' rates
                for (std::size_t f = 0; f < fields; ++f)
                    EXPECT_NEAR(there[k][f], first[k][f], 1e-13);
        }
    }
}

/// Totals of moving lumps of gas, before and after some steps.
std::pair<Totals, Totals> totals_around(const Mesh& mesh, const Scheme& scheme, int steps) {
    auto sim = simulate(mesh, scheme);
    sim.set(primitive(mesh, lumps));
    const auto start = sim.totals();
    sim.run(steps, no_end, no_interruption);
    return {start, sim.totals()};
}

TEST(Fluid, KeepsMassMomentumAndEnergy) {
    for (const auto& scheme : {plm, ppm}) {
        const auto [start, end] = totals_around(mesh_of({2, 1, 2}), scheme, 10);
        EXPECT_NEAR(end.mass, start.mass, 1e-14 * start.mass);
        EXPECT_NEAR(end.energy, start.energy, 1e-14 * start.energy);
        EXPECT_NEAR(end.momentum.x, start.momentum.x, 1e-14);
        EXPECT_NEAR(end.momentum.y, start.momentum.y, 1e-14);
        EXPECT_NEAR(end.momentum.z, start.momentum.z, 1e-14);
    }
}

TEST(Fluid, WallsKeepMassAndTurnMomentum) {
    const auto [start, end] = totals_around(mesh_of({2, 2}, Boundary::reflecting), plm, 40);
    EXPECT_NEAR(end.mass, start.mass, 1e-13 * start.mass);
    EXPECT_NEAR(end.energy, start.energy, 1e-13 * start.energy);
    EXPECT_GT(std::abs(end.momentum.x - start.momentum.x), 1e-3);
}

TEST(Fluid, GasLeavesThroughOpenFaces) {
    const auto mesh = mesh_of({4}, Boundary::outflow);
    auto sim = simulate(mesh, plm);
    sim.set(primitive(mesh, [](Vec3d x) -> State {
        return {1 + std::exp(-100 * (x.x - 0.5) * (x.x - 0.5)), 3, 0, 0, 1};
    }));
    sim.run(10'000, 1, no_interruption);
    EXPECT_NEAR(sim.totals().mass, 1, 1e-3);  // the lump is gone, what flows in is as at the face
}

/// Meshes of all axes, with more sub-grids than one vector has lanes, and fewer.
std::vector<Mesh> some_meshes() {
    auto mixed = mesh_of({3, 2, 2});
    mixed.boundary = {Boundary::periodic,   Boundary::periodic, Boundary::reflecting,
                      Boundary::reflecting, Boundary::outflow,  Boundary::reflecting};
    return {mesh_of({1}),       mesh_of({11}, Boundary::outflow),
            mesh_of({2, 3}),    mesh_of({3, 3}, Boundary::reflecting),
            mesh_of({1, 1, 1}), mixed};
}

class FluidBits : public ::testing::TestWithParam<Scheme> {};
INSTANTIATE_TEST_SUITE_P(Schemes, FluidBits, ::testing::Values(plm, ppm),
                         [](const auto& test) { return test.param.reconstruct; });

TEST_P(FluidBits, AreThoseOfAllSchedulesThreadsAndModes) {
    const Scheme& scheme = GetParam();
    for (const auto& mesh : some_meshes()) {
        const auto start = primitive(mesh, lumps);
        const auto expected = after(simulate(mesh, scheme, {"subgrids"}), start, 3);
        for (const How& how : {How{"pack"}, How{"pack", 3}, How{"pack", 2, true}, How{"lanes"},
                               How{"lanes", 2, true}, How{"subgrids", 3}, How{"subgrids", 2, true},
                               How{"aggregate"}, How{"aggregate", 3}, How{"aggregate", 2, true}}) {
            if (how.hostile && (mesh.dims != 2 || mesh.blocks() > 6)) continue;  // slow
            EXPECT_EQ(after(simulate(mesh, scheme, how), start, 3), expected)
                << how.schedule << ", " << how.threads << " threads";
        }
    }
}

TEST(FluidTasks, HaveTheSameBitsAfterFiftySteps) {
    const auto mesh = mesh_of({2, 3}, Boundary::outflow);
    const auto start = primitive(mesh, lumps);
    const int steps = device::sanitized ? 10 : 50;
    const auto expected = after(simulate(mesh, ppm), start, steps);
    for (const char* schedule : {"subgrids", "aggregate"})
        for (const int workers : {1, 3, 8})
            for (const tasks::ExecutorOptions options :
                 {tasks::ExecutorOptions{1, 1, tasks::Notice::wait},
                  {8, 4, tasks::Notice::callback},
                  {1, 64, tasks::Notice::poll},
                  {128, 1, tasks::Notice::poll}})
                for (const bool hostile : {false, true}) {
                    if (hostile && workers != 3) continue;  // slow
                    const How how{schedule, 2, hostile, "host", options, workers};
                    EXPECT_EQ(after(simulate(mesh, ppm, how), start, steps), expected)
                        << schedule << ", " << workers << " workers, " << options.queues
                        << " executors, most " << options.most << (hostile ? ", hostile" : "");
                }
}

class FluidOnGpus : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, FluidOnGpus, ::testing::ValuesIn(gpus()),
                         [](const auto&) { return std::string("gpu"); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FluidOnGpus);

TEST_P(FluidOnGpus, HaveTheBitsOfHosts) {
    for (const auto& mesh : some_meshes())
        for (const auto& scheme : {plm, ppm}) {
            const auto start = primitive(mesh, lumps);
            const auto expected = after(simulate(mesh, scheme), start, 3);
            for (const char* schedule : {"subgrids", "aggregate", "pack"})
                EXPECT_EQ(after(simulate(mesh, scheme, {schedule, 1, false, GetParam()}), start, 3),
                          expected)
                    << schedule;
        }
}

/// Launches of a step are in order, without an event among them. Schedules with tasks are told by
/// events that their work is done.
TEST(Fluid, StepsRecordNoEvents) {
    std::vector<std::string> devices = gpus();
    devices.push_back("host");
    for (const std::string& device : devices) {
        const auto mesh = mesh_of({2, 2});
        auto sim = simulate(mesh, plm, {"pack", 1, false, device});
        sim.set(primitive(mesh, lumps));
        const int steps = device == "emulated:0" ? 50 : 1000;
        EXPECT_EQ(sim.run(steps, no_end, no_interruption), steps);
        EXPECT_EQ(sim.counts().events, 0) << device;
        EXPECT_GT(sim.counts().launches, steps) << device;
    }
}

TEST(Fluid, RunsInPiecesHaveTheBitsOfTheWhole) {
    const auto mesh = mesh_of({3, 2});
    for (const char* schedule : schedules)
        for (const auto& scheme : {plm, ppm}) {
            const auto start = primitive(mesh, lumps);
            auto sim = simulate(mesh, scheme, {schedule});
            sim.set(start);
            for (const int steps : {3, 1, 2})
                EXPECT_EQ(sim.run(steps, no_end, no_interruption), steps);
            EXPECT_EQ(sim.step(), 6);
            EXPECT_EQ(sim.conserved(), after(simulate(mesh, scheme, {schedule}), start, 6));
        }
}

class FluidOf : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Schedules, FluidOf, ::testing::ValuesIn(schedules),
                         [](const auto& of) { return std::string(of.param); });

TEST_P(FluidOf, RunsEndAtTheirTimes) {
    const auto mesh = mesh_of({2});
    auto sim = simulate(mesh, plm, {GetParam()});
    EXPECT_THROW(sim.run(1, no_end, no_interruption), core::InputError);  // nothing is set
    sim.set(primitive(mesh, lumps));
    sim.run(5, no_end, no_interruption);
    const double longest = sim.dt(), time = sim.time();
    EXPECT_GT(longest, 0);
    EXPECT_EQ(sim.run(100, time + 1.5 * longest, no_interruption), 2);
    EXPECT_EQ(sim.time(), time + 1.5 * longest);
    EXPECT_LT(sim.dt(), longest);
    EXPECT_EQ(sim.run(100, time, no_interruption), 0);
    EXPECT_EQ(sim.step(), 7);
}

TEST_P(FluidOf, BadCellsStopARunAtTheStateBefore) {
    const auto mesh = mesh_of({2, 1});
    Scheme scheme = plm;
    scheme.cfl = 1, scheme.repair = false;
    auto sim = simulate(mesh, scheme, {GetParam()});
    const double vacuum = 1e-12;
    const auto start = primitive(mesh, [&](Vec3d x) -> State {
        return x.x < 0.5 ? State{1, -40, 0, 0, 1e-4} : State{vacuum, 40, 0, 0, vacuum};
    });
    sim.set(start);
    try {
        sim.run(1000, no_end, no_interruption);
        FAIL() << "nothing went bad";
    } catch (const core::BlowUpError& error) {
        EXPECT_EQ(error.what_happened.step, sim.step() + 1);
        EXPECT_TRUE(error.what_happened.force == "density" ||
                    error.what_happened.force == "pressure");
        EXPECT_FALSE(error.what_happened.value > 0);
        EXPECT_NE(std::string(error.what()).find(error.what_happened.place), std::string::npos);
        EXPECT_NE(error.what_happened.place.find("sub-grid"), std::string::npos);
    }
    for (const double value : sim.conserved()) EXPECT_TRUE(std::isfinite(value));
    auto other = simulate(mesh, scheme, {GetParam()});
    other.set(start);
    other.run(sim.step(), no_end, no_interruption);
    EXPECT_EQ(sim.conserved(), other.conserved());
    EXPECT_EQ(sim.time(), other.time());
    // A shorter step may go on from there, and does with the same object.
    sim.set(primitive(mesh, lumps));
    EXPECT_EQ(sim.run(2, no_end, no_interruption), 2);
}

TEST(Fluid, PartingStreamsLeaveAVacuum) {
    for (const auto& scheme : {plm, ppm})
        for (const double speed : {2.0, 8.0, 20.0}) {
            const auto mesh = mesh_of({8}, Boundary::outflow);
            auto sim = simulate(mesh, scheme);
            sim.set(primitive(mesh, [&](Vec3d x) -> State {
                return {1, x.x < 0.5 ? -speed : speed, 0, 0, 1 / 1.4};
            }));
            sim.run(100'000, 0.2 / speed, no_interruption);
            EXPECT_EQ(sim.time(), 0.2 / speed);
        }
}

TEST(Fluid, StatesWithoutATimeStepAreRefused) {
    const auto mesh = mesh_of({1});
    auto sim = simulate(mesh, plm);
    EXPECT_THROW(sim.set(primitive(mesh,
                                   [](Vec3d) -> State {
                                       return {1e-200, 0, 0, 0, 1e200};
                                   })),
                 core::InputError);
}

/// A schedule of tasks, or a pack, on a device of its own.
struct OnDevice {
    OnDevice(const Launching& launching, const Mesh& mesh, const device::HostOptions& options)
        : host(device::Device::host(options)), on(queue, Tree(mesh), halo_of(ppm)) {
        const std::string& name = launching.schedule;
        schedule = name == "subgrids"    ? make_subgrids(host, queue, on, 1.4, ppm, launching)
                   : name == "aggregate" ? make_aggregate(host, queue, on, 1.4, ppm, launching)
                                         : make_pack(queue, on, 1.4, ppm, name == "lanes");
    }
    void set(const Mesh& mesh, const std::vector<double>& conserved) {
        schedule->set(conserved);
        clock.rate = look_at(Tree(mesh), Ideal{1.4}, conserved.data()).rate;
        clock.until = no_end;
    }
    void advance(std::int64_t steps) {
        clock.last_step = clock.step + steps;
        schedule->advance(clock);
        EXPECT_EQ(clock.step, clock.last_step);
    }
    device::QueueCounts counts() const { return queue.counts() += schedule->counts(); }

    device::Device host;
    device::Queue queue{host};
    TreeOnDevice on;
    std::unique_ptr<Schedule> schedule;
    Clock clock;
};

/// [block][field][cell], at rest but for what `bump` adds to the energy of each cell.
std::vector<double> at_rest(const Mesh& mesh, double bump = 0) {
    std::vector<double> state(static_cast<std::size_t>(fields * mesh.cells()), 0);
    const auto cells = static_cast<std::size_t>(mesh.shape().cells());
    for (std::size_t i = 0; i < state.size(); ++i) {
        const auto field = static_cast<int>(i / cells % fields);
        if (field == at::density) state[i] = 1;
        if (field == at::energy) state[i] = 4 + bump * static_cast<double>(i * 7919 % 101);
    }
    return state;
}

/// Requests of three steps in one segment to a device, once everything has been used.
device::QueueCounts counts_of(const Launching& launching, const Mesh& mesh,
                              device::ClockedOptions clock_options = {}) {
    OnDevice run(launching, mesh, {.threads = 2, .pin = false, .clocked = clock_options});
    run.set(mesh, at_rest(mesh));
    run.advance(3);
    const auto before = run.counts();
    run.advance(3);
    auto after = run.counts();
    after.launches -= before.launches, after.copies -= before.copies;
    after.bytes -= before.bytes, after.looks -= before.looks;
    after.allocations -= before.allocations, after.events -= before.events;
    return after;
}

TEST(Fluid, AnyOrderOfTasksAndCompletionsHasTheSameBits) {
    const auto mesh = mesh_of({5}, Boundary::reflecting);
    const auto start = at_rest(mesh, 0.05);
    const device::HostOptions clocked{.threads = 1, .pin = false, .clocked = {.at_once = 2}};
    OnDevice pack({"pack"}, mesh, {.threads = 1});
    pack.set(mesh, start);
    pack.advance(2);
    const auto expected = pack.schedule->get();
    const std::uint64_t seeds = device::sanitized ? 100 : 1000;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const int queues = 1 + static_cast<int>(seed % 4), most = 1 + static_cast<int>(seed % 3);
        const Launching launching{seed % 2 ? "aggregate" : "subgrids", {queues, most}, 0, seed};
        OnDevice run(launching, mesh, clocked);
        run.set(mesh, start);
        run.advance(2);
        ASSERT_EQ(run.schedule->get(), expected) << seed;
    }
}

TEST(Fluid, SubgridsAreFiveLaunchesAndTwoCopiesAStage) {
    for (const device::ClockedOptions clock : {device::ClockedOptions{}, {.at_once = 2}}) {
        const auto counts = counts_of({"subgrids"}, mesh_of({2, 2, 2}), clock);
        EXPECT_EQ(counts.launches, 3 * 3 * 8 * 5);
        EXPECT_EQ(counts.copies, 3 * 3 * 8 * 2);
        EXPECT_EQ(counts.looks, 0);  // events are asked for
        if (clock.at_once > 0) {
            EXPECT_EQ(counts.events, 3 * 3 * 8);
        }
        EXPECT_EQ(counts.allocations, 0);
    }
}

TEST(Fluid, AggregatesCopyNoFields) {
    const auto mesh = mesh_of({2, 2, 2});
    const auto counts = counts_of({"aggregate"}, mesh);
    EXPECT_EQ(counts.launches, 3 * (3 * 8 * 5 + 1));
    EXPECT_EQ(counts.bytes, 3 * mesh.blocks() * std::int64_t{sizeof(Look)});
    EXPECT_EQ(counts.looks, 3);
    EXPECT_EQ(counts.allocations, 0);
}

TEST(Fluid, BusyExecutorsShareLaunches) {
    if (device::sanitized) GTEST_SKIP() << "statistics need a fast build";
    // 64 sub-grids: 960 launches a step alone.
    const auto mesh = mesh_of({8, 8});
    for (const char* schedule : {"subgrids", "aggregate"}) {
        const auto counts = counts_of({schedule, {.queues = 1, .most = 64}}, mesh,
                                      {.at_once = 1, .per_launch = 2e-4});
        EXPECT_LE(counts.launches, 3 * 960 / 4) << schedule;
    }
}

TEST(Fluid, PacksAreOneLaunchAStageWithoutCopiesOfFields) {
    for (const char* schedule : {"pack", "lanes"}) {
        const auto counts = counts_of({schedule}, mesh_of({2, 2, 2}));
        EXPECT_EQ(counts.launches, 3 * (3 + 1));
        EXPECT_EQ(counts.bytes, 2 * std::int64_t{sizeof(Clock)});
        EXPECT_EQ(counts.looks, 1);
        EXPECT_EQ(counts.allocations, 0);
    }
}

TEST(Fluid, RefusesWhatCannotBe) {
    const auto mesh = mesh_of({1});
    const device::OpenOptions host{.name = "host", .threads = 1};
    for (const double gamma : {1.0, 0.5, no_end, -no_end})
        EXPECT_THROW(Simulation(host, mesh, gamma, plm, {"subgrids"}), core::InputError);
    EXPECT_THROW(Simulation(host, mesh, 1.4, plm, {"packs"}), core::InputError);
    EXPECT_THROW(Simulation(host, mesh, 1.4, {"plm", "hllc", 4, 0.4}, {"subgrids"}),
                 core::InputError);
    for (const double cfl : {1.1, 0.0, -0.4, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(Simulation(host, mesh, 1.4, {"plm", "hllc", 2, cfl}, {"subgrids"}),
                     core::InputError);
    auto sim = simulate(mesh, plm);
    auto start = primitive(mesh, lumps);
    start[3] = -1;
    try {
        sim.set(start);
        FAIL();
    } catch (const core::InputError& error) {
        EXPECT_NE(std::string(error.what()).find("cell 3 at (0.4375)"), std::string::npos)
            << error.what();
    }
    start[3] = 1;
    sim.set(start);
    start.push_back(1);
    EXPECT_THROW(sim.set(start), core::InputError);
    start.resize(start.size() - 2);
    EXPECT_THROW(sim.set(start), core::InputError);
}

}  // namespace
}  // namespace aureole::amr
