// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "core/error.hpp"
#include "md/simulation/tests/systems.hpp"

// Whole simulations on ranks that are threads here, with the lists that users get.
namespace aureole::md::testing {
namespace {

DeviceSpec one_thread(const std::string& algorithm = "auto") {
    DeviceSpec device;
    device.threads = 1, device.pin = false, device.algorithm = algorithm;
    return device;
}

std::unique_ptr<Simulation> make(const Start& start, const MotionSpec& motion, Precision precision,
                                 comm::World* world, const std::string& algorithm = "auto") {
    auto sim = std::make_unique<Simulation>(one_thread(algorithm), precision, start.box,
                                            start.particles, start.n_types, 11, world);
    sim->add_pair(lennard_jones(2.5, EnergyMode::shift, start.n_types));
    sim->set_motion(motion, {});
    return sim;
}

struct Seen {
    Thermo start, end;
    std::vector<Vec3d> position, velocity, force;
};

Seen run(Simulation& sim, std::int64_t steps) {
    Seen seen;
    seen.start = sim.thermo();
    sim.run(steps, no_interruption);
    seen.end = sim.thermo();
    seen.position = sim.by_tag(download(sim.queue(), sim.particles().position));
    seen.velocity = sim.by_tag(download(sim.queue(), sim.particles().velocity));
    seen.force = sim.by_tag(sim.forces());
    return seen;
}

Seen on(int ranks, const Start& start, const MotionSpec& motion, std::int64_t steps,
        const std::string& algorithm) {
    if (ranks == 1) return run(*make(start, motion, Precision::full, nullptr, algorithm), steps);
    Seen seen;
    comm::World::of_threads(ranks, [&](comm::World& world) {
        const auto own = run(*make(start, motion, Precision::full, &world, algorithm), steps);
        if (world.rank() == 0) seen = own;
    });
    return seen;
}

Start melt() { return fcc(8, 0.8, 0.08, 1.3, 5, 2); }

class RankSimulations : public ::testing::TestWithParam<int> {};

void expect_the_steps_of_one(int ranks, const std::string& algorithm) {
    const std::int64_t steps = core::sanitized ? 20 : algorithm == "lanes" ? 30 : 50;
    for (const auto& motion : {nve(0.004), langevin(0.004, 1.2, 0.7), bussi(0.004, 1.2, 0.2, 5)}) {
        const auto start = melt();
        // A sanitizer watches what ranks do; where they end is compared without one.
        const auto one = on(1, start, motion, core::sanitized ? 0 : steps, algorithm);
        const auto many = on(ranks, start, motion, steps, algorithm);
        EXPECT_NEAR(many.start.potential, one.start.potential,
                    1e-12 * std::abs(one.start.potential));
        EXPECT_NEAR(many.start.pressure, one.start.pressure, 1e-10);
        EXPECT_NEAR(many.start.temperature, one.start.temperature, 1e-12);
        EXPECT_EQ(many.start.dof, one.start.dof);
        if (core::sanitized) continue;
        EXPECT_NEAR(many.end.potential, one.end.potential, 1e-8 * std::abs(one.end.potential));
        EXPECT_NEAR(many.end.temperature, one.end.temperature, 1e-8);
        ASSERT_EQ(many.velocity.size(), one.velocity.size());
        for (std::size_t i = 0; i < one.velocity.size(); ++i) {
            const auto d = many.velocity[i] - one.velocity[i];
            ASSERT_LT(dot(d, d), 1e-14) << "particle " << i;
        }
    }
}

TEST_P(RankSimulations, MakeTheStepsOfOne) { expect_the_steps_of_one(GetParam(), "clusters"); }
TEST_P(RankSimulations, MakeTheStepsOfOneByFlatLists) {
    expect_the_steps_of_one(GetParam(), "lanes");
}

/// Spheres whose diameters, a column of the user's, their potential reads of both.
void expect_spheres_of_one(int ranks, const std::string& algorithm) {
    const auto start = liquid({14, 13, 15, 0.2, -0.1, 0.1}, 1900, 0.6, 1, 5);
    const auto n = start.particles.position.size();
    std::vector<double> diameter(n);
    for (std::size_t i = 0; i < n; ++i) diameter[i] = 0.8 + 0.05 * static_cast<double>(i * 7 % 13);
    const auto seen = [&](comm::World* world) {
        Simulation sim(one_thread(algorithm), Precision::full, start.box, start.particles, 1, 11,
                       world);
        PairForceSpec spheres;
        spheres.potential = "SoftSpheres", spheres.parameters = {20}, spheres.r_cut = {1.4};
        spheres.r_switch = {0};
        sim.add_pair(spheres);
        sim.set_column(ElementType::real, {.name = "diameter", .unit = "length"},
                       std::as_bytes(std::span(diameter)));
        sim.set_motion(nve(0.004), {});
        auto out = run(sim, 40);
        // Other diameters, given while particles are divided.
        auto smaller = diameter;
        for (double& d : smaller) d *= 0.9;
        sim.set_column(ElementType::real, {.name = "diameter", .unit = "length"},
                       std::as_bytes(std::span(smaller)));
        EXPECT_LT(sim.thermo().potential, 0.9 * out.end.potential);
        out.end = sim.thermo();
        return out;
    };
    const auto one = seen(nullptr);
    ASSERT_GT(one.start.potential, 1);
    Seen many;
    comm::World::of_threads(ranks, [&](comm::World& world) {
        const auto own = seen(&world);
        if (world.rank() == 0) many = own;
    });
    EXPECT_NEAR(many.start.potential, one.start.potential, 1e-12 * one.start.potential);
    EXPECT_NEAR(many.end.potential, one.end.potential, 1e-9 * one.end.potential);
    for (std::size_t i = 0; i < n; ++i) {
        const auto d = many.velocity[i] - one.velocity[i];
        ASSERT_LT(dot(d, d), 1e-16) << "particle " << i;
    }
}

TEST_P(RankSimulations, ReadColumnsOfGhosts) { expect_spheres_of_one(GetParam(), "clusters"); }
TEST_P(RankSimulations, ReadColumnsOfGhostsByFlatLists) {
    expect_spheres_of_one(GetParam(), "lanes");
}

TEST_P(RankSimulations, GoOnAfterEdits) {
    const auto start = melt();
    comm::World::of_threads(GetParam(), [&](comm::World& world) {
        const auto sim = make(start, langevin(0.004, 1.0, 1.0), Precision::mixed, &world);
        sim->run(20, no_interruption);
        sim->thermalize(2.0);
        const auto hot = sim->thermo();
        EXPECT_NEAR(hot.temperature, 2.0, 1e-9);
        sim->run(20, no_interruption);
        sim->set_motion(nve(0.002), {});
        EXPECT_NEAR(sim->thermo().kinetic, sim->thermo().kinetic, 0);
        sim->run(5, no_interruption);
        EXPECT_EQ(sim->system().step, 45);
    });
}

TEST_P(RankSimulations, AreStoppedByTheFirstRankAtOneStep) {
    const auto start = melt();
    std::vector<std::int64_t> made(static_cast<std::size_t>(GetParam()));
    comm::World::of_threads(GetParam(), [&](comm::World& world) {
        const auto sim = make(start, nve(0.002), Precision::mixed, &world);
        struct Interrupted {};
        try {
            sim->run(1'000'000, [&] {
                if (world.rank() == 0) throw Interrupted{};
            });
        } catch (const Interrupted&) {
        }
        made[static_cast<std::size_t>(world.rank())] = sim->system().step;
        sim->run(3, no_interruption);
    });
    for (const auto steps : made) EXPECT_EQ(steps, made[0]);
    EXPECT_LT(made[0], 1'000'000);
}

TEST_P(RankSimulations, ReportABlowUpOnAllRanks) {
    auto start = melt();
    // Two particles in one place.
    start.particles.position[7] = start.particles.position[8] + Vec3d{1e-4, 0, 0};
    int told = 0;
    std::mutex lock;
    EXPECT_THROW(comm::World::of_threads(GetParam(),
                                         [&](comm::World& world) {
                                             const auto sim =
                                                 make(start, nve(0.004), Precision::mixed, &world);
                                             try {
                                                 sim->run(200, no_interruption);
                                             } catch (const core::BlowUpError& error) {
                                                 const std::lock_guard guard(lock);
                                                 EXPECT_GE(error.what_happened.tag, 0);
                                                 ++told;
                                                 throw;
                                             }
                                         }),
                 core::BlowUpError);
    EXPECT_EQ(told, GetParam());
}

TEST(RankSimulationsOnSmallBoxes, LeaveSomeRanksWithoutParticles) {
    const auto start = melt();
    const auto one = on(1, start, nve(0.004), 50, "clusters");
    const auto many = on(11, start, nve(0.004), 50, "clusters");
    EXPECT_NEAR(many.start.potential, one.start.potential, 1e-12 * std::abs(one.start.potential));
    EXPECT_NEAR(many.end.potential, one.end.potential, 1e-8 * std::abs(one.end.potential));
    comm::World::of_threads(11, [&](comm::World& world) {
        const auto sim = make(start, nve(0.004), Precision::mixed, &world);
        EXPECT_EQ(sim->rank_grid().x, 0);
        sim->thermo();
        const auto n = sim->rank_grid();
        EXPECT_LT(n.x * n.y * n.z, 11);
        EXPECT_EQ(sim->particles().n == 0, world.rank() >= n.x * n.y * n.z);
        EXPECT_NE(sim->take_remark(), "");
        EXPECT_EQ(sim->take_remark(), "");
    });
}

INSTANTIATE_TEST_SUITE_P(Ranks, RankSimulations, ::testing::Values(2, 4, 8),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace aureole::md::testing
