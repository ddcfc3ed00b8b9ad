// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "md/tests/systems.hpp"

namespace aureole::md::testing {
namespace {

class Minimise : public ::testing::TestWithParam<DeviceSpec> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, Minimise, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return name_of(p.param); });

TEST_P(Minimise, FindsTheCrystalAgain) {
    const auto force = lennard_jones(2.5, EnergyMode::force_shift);
    const double ideal =
        simulate(fcc(4, 1.05, 0), force, nve(0.005), host(1), Precision::full)->thermo().potential;
    const auto sim = simulate(fcc(4, 1.05, 0.06), force, nve(0.005), GetParam(), Precision::full);
    const auto velocity = phase(*sim).velocity;
    EXPECT_GT(sim->thermo().potential, ideal + 10);
    FireSpec spec;
    const bool slow = core::testing::sanitized || hostile_environment();
    spec.force_tolerance = slow ? 1e-1 : 1e-6;
    spec.max_steps = 3000;
    const auto result = sim->minimize(spec, no_interruption);
    EXPECT_TRUE(result.converged) << result.steps << " steps, force " << result.max_force;
    EXPECT_LE(result.max_force, spec.force_tolerance);
    EXPECT_NEAR(result.energy, ideal, slow ? 1 : 1e-9 * std::abs(ideal));
    EXPECT_EQ(phase(*sim).velocity, velocity);  // the user's are put back
    EXPECT_EQ(sim->system().step, 0);
    EXPECT_EQ(sim->system().motion.dt, 0.005);
}

TEST_P(Minimise, PullsOverlapsApart) {
    const core::Box box{7, 7, 7};
    const auto sim = simulate(liquid(box, 200, 0.3), lennard_jones(2.5), nve(0.005), GetParam());
    FireSpec spec;
    spec.force_tolerance = 100, spec.max_steps = 2000;
    const auto result = sim->minimize(spec, no_interruption);
    EXPECT_TRUE(result.converged) << result.max_force;
    sim->thermalize(0.5);
    sim->run(steps(50), no_interruption);  // does not blow up
    EXPECT_EQ(sim->system().step, steps(50));
}

TEST_P(Minimise, SaysSoWhenStepsRunOut) {
    const auto sim = simulate(fcc(3, 1.05, 0.06), lennard_jones(2.2), nve(0.005), GetParam());
    FireSpec spec;
    spec.force_tolerance = 1e-12, spec.max_steps = 5;
    const auto result = sim->minimize(spec, no_interruption);
    EXPECT_FALSE(result.converged);
    EXPECT_EQ(result.steps, 5);
}

TEST_P(Minimise, ALoneParticleIsAtRest) {
    const auto sim = simulate(liquid({7, 7, 7}, 1, 1), lennard_jones(2.5), nve(0.005), GetParam());
    const auto result = sim->minimize({}, no_interruption);
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.steps, 0);
}

}  // namespace
}  // namespace aureole::md::testing
