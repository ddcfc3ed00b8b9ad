// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "md/simulation/tests/systems.hpp"

// What the equations of motion keep.
namespace aureole::md::testing {
namespace {

class Conservation : public ::testing::TestWithParam<DeviceSpec> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, Conservation, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return name_of(p.param); });

double largest(const Vec3d& a) { return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)}); }

TEST_P(Conservation, MomentumIsKeptToRounding) {
    const auto start = fcc(4, 0.8442, 0.05, 1.4);
    for (const auto precision : {Precision::mixed, Precision::full}) {
        const auto sim = simulate(start, lennard_jones(2.5), nve(0.005), GetParam(), precision);
        sim->run(steps(200), no_interruption);
        // mixed: 24 bits of forces of about 100, random in sign, 256 particles and 200 kicks
        const double rounding = precision == Precision::mixed ? 2e-4 : 1e-11;
        EXPECT_LT(largest(sim->thermo().momentum), rounding);
    }
}

TEST_P(Conservation, MotionIsReversible) {
    const auto start = fcc(3, 0.8, 0.03, 1);
    const auto sim = simulate(start, lennard_jones(2.2, EnergyMode::xplor), nve(0.002), GetParam(),
                              Precision::full);
    const auto before = phase(*sim);
    const auto n = steps(150);
    sim->run(n, no_interruption);
    const auto there = phase(*sim);
    auto& p = sim->particles();
    auto velocity = download(sim->queue(), p.velocity);
    for (auto& v : velocity) v *= -1;
    device::copy_from_host(sim->queue(), p.velocity.view(), velocity.data());
    sim->edited();
    sim->run(n, no_interruption);
    const auto after = phase(*sim);
    double moved = 0, error = 0;
    for (std::size_t i = 0; i < before.position.size(); ++i) {
        moved = std::max(moved, largest(there.position[i] - before.position[i]));
        error = std::max(error, largest(after.position[i] - before.position[i]));
        error = std::max(error, largest(after.velocity[i] + before.velocity[i]));
    }
    EXPECT_GT(moved, 1e-3);
    EXPECT_LT(error, 1e-9);  // chaos multiplies 53 bits by some hundreds
}

/// Standard deviation of the total energy over a time of 1, started from one state.
double fluctuation(const Start& start, const DeviceSpec& device, double dt) {
    const auto sim =
        simulate(start, lennard_jones(2.5, EnergyMode::xplor), nve(dt), device, Precision::full);
    const int samples = 50;
    const auto stride = static_cast<std::int64_t>(std::lround(1 / (dt * samples)));
    double sum = 0, square = 0, first = 0;
    for (int k = 0; k < samples; ++k) {
        sim->run(stride, no_interruption);
        const auto thermo = sim->thermo();
        const double energy = thermo.potential + thermo.kinetic;
        if (k == 0) first = energy;
        sum += energy - first, square += (energy - first) * (energy - first);
    }
    return std::sqrt(square / samples - sum * sum / (samples * samples));
}

TEST_P(Conservation, EnergyFluctuatesWithTheSquareOfTheTimeStep) {
    if (core::sanitized || hostile_environment())
        GTEST_SKIP() << "long, and the same code as without a sanitizer";
    const auto start = fcc(4, 0.8442, 0.02, 1.2);
    const double slow = fluctuation(start, GetParam(), 0.001);
    const double fast = fluctuation(start, GetParam(), 0.004);
    EXPECT_NEAR(std::log(fast / slow) / std::log(4.0), 2, 0.15);
    EXPECT_GT(slow, 0);
}

TEST_P(Conservation, AParticleAloneFliesStraight) {
    auto start = liquid({7, 8, 9}, 1, 1);
    start.particles.velocity[0] = {3, -2, 1};
    const auto from = start.particles.position[0];
    const auto sim = simulate(start, lennard_jones(2.5), nve(0.01), GetParam());
    sim->run(500, no_interruption);
    const auto to = phase(*sim).position[0];
    EXPECT_LT(largest(to - (from + Vec3d{15, -10, 5})), 1e-12);
}

TEST_P(Conservation, MassesDivideTheForces) {
    auto start = liquid({8, 8, 8}, 2, 1);
    start.particles.position = {{0, 0, 0}, {1.1, 0.2, 0}};
    start.particles.velocity = {{}, {}};
    start.particles.mass = {1, 5};
    const auto sim = simulate(start, lennard_jones(2.5), nve(0.001), GetParam(), Precision::full);
    sim->run(50, no_interruption);
    const auto v = phase(*sim).velocity;
    EXPECT_GT(largest(v[0]), 1e-3);
    EXPECT_LT(largest(v[0] + 5 * v[1]), 1e-13);
}

TEST_P(Conservation, DriftIsRemovedWhereAsked) {
    auto start = fcc(3, 0.8, 0.03, 1);
    for (auto& v : start.particles.velocity) v += Vec3d{0.5, 0, -0.2};
    auto motion = nve(0.004);
    motion.remove_com_every = 10;
    const auto sim = simulate(start, lennard_jones(2.2), motion, GetParam());
    EXPECT_GT(largest(sim->thermo().momentum), 10);
    sim->run(10, no_interruption);
    EXPECT_LT(largest(sim->thermo().momentum), 1e-9);
}

}  // namespace
}  // namespace aureole::md::testing
