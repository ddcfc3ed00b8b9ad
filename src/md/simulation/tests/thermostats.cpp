// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "md/coupling/bussi.kernel.hpp"
#include "md/simulation/tests/systems.hpp"

// Thermostats keep their temperature, within the statistics of a short run.
namespace aureole::md::testing {
namespace {

/// Mean temperature of `samples` states, `stride` steps apart, after as many steps as one sample's.
double mean_temperature(Simulation& sim, int samples, std::int64_t stride) {
    sim.run(20 * stride, no_interruption);
    double sum = 0;
    for (int k = 0; k < samples; ++k) {
        sim.run(stride, no_interruption);
        sum += sim.thermo().temperature;
    }
    return sum / samples;
}

class SimpleThermostats : public ::testing::TestWithParam<DeviceSpec> {
  protected:
    void SetUp() override {
        if (core::sanitized || hostile_environment())
            GTEST_SKIP() << "statistics need a fast build; the code is covered by shorter tests";
    }
};
INSTANTIATE_TEST_SUITE_P(Everywhere, SimpleThermostats, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return name_of(p.param); });

// Samples 1/γ apart are correlated by exp(−2): about 1.3 of them count for one. One sample's
// standard deviation is T √(2/f) with f = 3·256. Five standard errors are allowed.
constexpr double error_of(int samples, double correlation, double kT, double dof) {
    return 5 * kT * __builtin_sqrt(2 / dof * correlation / samples);
}

TEST_P(SimpleThermostats, LangevinHeatsALiquid) {
    const double kT = 1.5;
    const auto sim = simulate(fcc(4, 0.7, 0.03, 0.3), lennard_jones(2.2, EnergyMode::force_shift),
                              langevin(0.002, kT, 20), GetParam());
    EXPECT_NEAR(mean_temperature(*sim, 60, 25), kT, error_of(60, 1.3, kT, 768));
}

TEST_P(SimpleThermostats, BussiCoolsALiquid) {
    const double kT = 0.9;
    const auto sim = simulate(fcc(4, 0.7, 0.03, 3), lennard_jones(2.2, EnergyMode::force_shift),
                              bussi(0.002, kT, 0.05, 5), GetParam());
    EXPECT_NEAR(mean_temperature(*sim, 60, 25), kT, error_of(60, 2.2, kT, 765));
}

TEST_P(SimpleThermostats, LangevinWorksWithoutForces) {
    auto start = fcc(4, 0.7, 0.03, 0.1);
    for (std::size_t i = 0; i < start.particles.mass.size(); ++i)
        start.particles.mass[i] = 1 + 0.5 * static_cast<double>(i % 3);
    const double kT = 2;
    const auto sim = simulate(start, lennard_jones(0), langevin(0.01, kT, 5), GetParam());
    EXPECT_NEAR(mean_temperature(*sim, 60, 20), kT, error_of(60, 1.3, kT, 768));
}

TEST_P(SimpleThermostats, TheTemperatureOfBussiFluctuatesAsItShould) {
    const double kT = 1.2;
    const auto sim =
        simulate(fcc(2, 0.7, 0.0, kT), lennard_jones(0), bussi(0.01, kT, 0.01, 1), GetParam());
    const int samples = 1500;
    double sum = 0, square = 0;
    for (int k = 0; k < samples; ++k) {
        sim->run(3, no_interruption);
        const double t = sim->thermo().temperature;
        sum += t, square += t * t;
    }
    const double mean = sum / samples, variance = square / samples - mean * mean;
    const double dof = 3 * 32 - 3;
    EXPECT_NEAR(mean, kT, error_of(samples, 1.2, kT, dof));
    // The variance of a variance is 2/n of its square.
    EXPECT_NEAR(variance / (2 * kT * kT / dof), 1, 5 * std::sqrt(2.5 / samples));
}

TEST(BussiFactor, LeavesARestingSystem) {
    EXPECT_EQ(draw_bussi_factor({0, 300, 1, 0.1, 1, 1}), 1);
    EXPECT_EQ(draw_bussi_factor({5, 0, 1, 0.1, 1, 1}), 1);
}

TEST(BussiFactor, IsOneWithoutTime) {
    EXPECT_NEAR(draw_bussi_factor({150, 300, 1, 0, 1, 1}), 1, 1e-12);
}

TEST(BussiFactor, DrawsTheCanonicalKineticEnergyAtOnce) {
    // After a long time the energy is a gamma variate of shape dof/2 whatever it was.
    const double kT = 1.3;
    for (const double dof : {1.0, 2.0, 3.0, 30.0}) {
        const int draws = 20000;
        double sum = 0;
        for (int k = 0; k < draws; ++k) {
            const double a = draw_bussi_factor({17, dof, kT, 50, 1, static_cast<std::uint64_t>(k)});
            sum += 17 * a * a;
        }
        const double mean = 0.5 * dof * kT;
        EXPECT_NEAR(sum / draws / mean, 1, 5 * std::sqrt(2 / dof / draws)) << dof;
    }
}

}  // namespace
}  // namespace aureole::md::testing
