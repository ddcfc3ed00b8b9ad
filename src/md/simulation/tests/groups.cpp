// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "md/simulation/tests/systems.hpp"

// Particles outside the integrated group stay where they are and still push the others.
namespace aureole::md::testing {
namespace {

class Groups : public ::testing::TestWithParam<DeviceSpec> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, Groups, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return name_of(p.param); });

std::vector<std::uint8_t> every_third(std::size_t n) {
    std::vector<std::uint8_t> moves(n, 1);
    for (std::size_t i = 0; i < n; i += 3) moves[i] = 0;
    return moves;
}

TEST_P(Groups, FixedParticlesStay) {
    const auto start = fcc(4, 0.8, 0.03, 2);
    const auto moves = every_third(start.particles.position.size());
    for (const auto& motion : {nve(0.004), langevin(0.004, 2, 1), bussi(0.004, 2, 0.1, 5)}) {
        const auto sim = simulate(start, lennard_jones(2.5), motion, GetParam());
        auto spec = motion;
        spec.remove_com_every = 7;
        sim->set_motion(spec, moves);
        const auto before = phase(*sim);
        sim->run(steps(100), no_interruption);
        const auto after = phase(*sim);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const auto d = after.position[i] - before.position[i];
            if (moves[i] != 0) {
                EXPECT_GT(dot(d, d), 0) << i;
            } else {
                // wrapping adds and takes off whole boxes
                EXPECT_LT(dot(d, d), 1e-26) << i;
                EXPECT_EQ(after.velocity[i], before.velocity[i]) << i;
            }
        }
    }
}

// Free particles of one mass move by whole clusters, others one by one.
TEST_P(Groups, AGroupOfAllMovesAsTheWhole) {
    const auto start = fcc(5, 0.8, 0.05, 3);
    const std::vector<std::uint8_t> all(start.particles.position.size(), 1);
    for (const auto precision : {Precision::mixed, Precision::full}) {
        const auto run = [&](const std::vector<std::uint8_t>& moves) {
            const auto sim = simulate(start, lennard_jones(2.5), nve(0.004), GetParam(), precision);
            sim->set_motion(nve(0.004), moves);
            sim->run(steps(100), no_interruption);
            return phase(*sim);
        };
        EXPECT_EQ(run({}), run(all));
    }
}

TEST_P(Groups, OnlyMovingParticlesHaveATemperature) {
    const auto start = fcc(3, 0.8, 0.03, 2);
    const auto moves = every_third(start.particles.position.size());
    const auto sim = simulate(start, lennard_jones(2.2), langevin(0.004, 2, 1), GetParam());
    sim->set_motion(nve(0.004), moves);
    sim->thermalize(1.7);
    const auto thermo = sim->thermo();
    EXPECT_EQ(thermo.dof, 3 * 72);
    EXPECT_NEAR(thermo.temperature, 1.7, 1e-12);
    const auto v = phase(*sim).velocity;
    for (std::size_t i = 0; i < moves.size(); i += 3) EXPECT_EQ(v[i], (Vec3d{})) << i;
}

TEST_P(Groups, AWholeGroupConservesEnergyAmongFixedParticles) {
    auto start = fcc(3, 0.8, 0.02, 0.5);
    const auto moves = every_third(start.particles.position.size());
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (moves[i] == 0) start.particles.velocity[i] = {};
    const auto sim = simulate(start, lennard_jones(2.2, EnergyMode::xplor), nve(0.001), GetParam(),
                              Precision::full);
    sim->set_motion(nve(0.001), moves);
    const auto energy = [&] {
        const auto thermo = sim->thermo();
        return thermo.potential + thermo.kinetic;
    };
    const double before = energy();
    sim->run(steps(200), no_interruption);
    EXPECT_NEAR(energy(), before, 2e-4 * 108);  // dt² of the integrator
}

TEST_P(Groups, ThermalizeHitsTheTemperatureAndStopsTheDrift) {
    const auto sim = simulate(fcc(3, 0.8, 0.03, 2), lennard_jones(2.2), nve(0.004), GetParam());
    sim->thermalize(0.77);
    const auto thermo = sim->thermo();
    EXPECT_NEAR(thermo.temperature, 0.77, 1e-12);
    EXPECT_EQ(thermo.dof, 3 * 108 - 3);
    EXPECT_LT(std::sqrt(dot(thermo.momentum, thermo.momentum)), 1e-11);
}

}  // namespace
}  // namespace aureole::md::testing
