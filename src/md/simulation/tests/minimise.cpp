// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "md/lists/tests/flat_systems.hpp"
#include "md/simulation/tests/systems.hpp"

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
    const bool slow = core::sanitized || hostile_environment();
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

/// Particles at rest that overlap go far, whatever the lists of the runs allow for.
TEST_P(Minimise, MissesNoPairWithTheListsOfMolecules) {
    const core::Box box{7, 7, 7};
    for (const bool by_fire : {false, true}) {
        const auto sim = simulate(liquid(box, 200, 0.3, 0), lennard_jones(2.5), nve(0.005),
                                  GetParam(), Precision::full);
        sim->set_list({.exact = false, .tolerance = 0.005});
        if (by_fire)
            sim->minimize({.force_tolerance = 1, .max_steps = steps(300)}, no_interruption);
        else
            sim->descend({.force_tolerance = 1, .max_steps = steps(300)}, [](const auto&) {});
        const double found = sim->thermo().potential;
        const auto each = all_pairs<double>(sim->system(), phase(*sim).position,
                                            std::vector<std::int32_t>(200, 0))
                              .energy;
        const double all = std::accumulate(each.begin(), each.end(), 0.0);
        EXPECT_NEAR(found, all, 1e-9 * std::abs(all)) << by_fire;
        EXPECT_FALSE(sim->system().list.exact);
    }
}

TEST_P(Minimise, SaysSoWhenStepsRunOut) {
    const auto sim = simulate(fcc(3, 1.05, 0.06), lennard_jones(2.2), nve(0.005), GetParam());
    FireSpec spec;
    spec.force_tolerance = 1e-12, spec.max_steps = 5;
    const auto result = sim->minimize(spec, no_interruption);
    EXPECT_FALSE(result.converged);
    EXPECT_EQ(result.steps, 5);
}

/// The paper's algorithm, on the host with sums of its own, beside the one that decides on devices.
TEST_P(Minimise, TakesTheStepsOfThePaper) {
    const auto start = fcc(3, 1.05, 0.06);
    const auto force = lennard_jones(2.2, EnergyMode::force_shift);
    FireSpec spec;
    spec.force_tolerance = 1e-12, spec.max_steps = steps(60);
    const auto sim = simulate(start, force, nve(0.005), GetParam(), Precision::full);
    const auto found = sim->minimize(spec, no_interruption);
    System pairs;
    pairs.box = start.box, pairs.forces.emplace_back(force);
    const auto n = start.particles.mass.size();
    auto at = start.particles.position;
    std::vector<Vec3d> v(n), f;
    double alpha = 0.1, dt = spec.dt_start;
    int downhill = 0;
    const auto forces = [&] { return all_pairs<double>(pairs, at, start.particles.type).force; };
    f = forces();
    for (std::int64_t k = 0; k < spec.max_steps; ++k) {
        double power = 0, f2 = 0, v2 = 0;
        for (std::size_t i = 0; i < n; ++i)
            power += dot(f[i], v[i]), f2 += dot(f[i], f[i]), v2 += dot(v[i], v[i]);
        if (power > 0) {
            for (std::size_t i = 0; i < n; ++i)
                v[i] = (1 - alpha) * v[i] + (alpha * std::sqrt(v2 / f2)) * f[i];
            if (++downhill > 5) dt = std::min(1.1 * dt, 10 * spec.dt_start), alpha *= 0.99;
        } else if (k > 0) {
            v.assign(n, {}), downhill = 0, alpha = 0.1,
                             dt = std::max(0.5 * dt, 0.02 * spec.dt_start);
        }
        for (std::size_t i = 0; i < n; ++i) v[i] += (0.5 * dt) * f[i], at[i] += dt * v[i];
        f = forces();
        for (std::size_t i = 0; i < n; ++i) v[i] += (0.5 * dt) * f[i];
    }
    double largest = 0;
    for (const auto& one : f) largest = std::max(largest, std::sqrt(dot(one, one)));
    EXPECT_NEAR(found.max_force, largest, 1e-6 * largest);
}

TEST_P(Minimise, ALoneParticleIsAtRest) {
    const auto sim = simulate(liquid({7, 7, 7}, 1, 1), lennard_jones(2.5), nve(0.005), GetParam());
    const auto result = sim->minimize({}, no_interruption);
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.steps, 0);
}

}  // namespace
}  // namespace aureole::md::testing
