// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "md/simulation/tests/molecules_systems.hpp"

// Temperatures and pressures of molecules in every engine.
namespace aureole::md::testing {
namespace {

class MoleculesThermostats : public OnEngines {};
INSTANTIATE_TEST_SUITE_P(Engines, MoleculesThermostats, ::testing::ValuesIn(engines()),
                         engine_name);

/// Particles without forces have the volumes V^N exp(−PV/kT) and the energies of their thermostat.
class Gas {
  public:
    Gas(Barostat barostat, BoxShape shape, Thermostat thermostat, Scheme scheme) {
        auto start = fcc(2, 0.3, 0.0, kT);
        sim_ =
            std::make_unique<Simulation>(on(1), Precision::full, start.box, start.particles, 1, 5);
        sim_->add_pair(lennard_jones(0));
        CouplingSpec spec;
        spec.thermostat = thermostat, spec.every = 1;
        spec.groups = {{kT, 0.02, n - (scheme == Scheme::stochastic ? 0 : 3), {}, {}, false}};
        auto& b = spec.barostat;
        b.kind = barostat, b.shape = shape, b.every = 1, b.tau = 0.4;
        const double compressibility = 1 / pressure;
        b.compressibility = {compressibility, compressibility, compressibility, 0, 0, 0};
        b.pressure = {pressure, pressure, pressure, 0, 0, 0};
        sim_->set_coupling(spec, std::vector<std::uint8_t>(particles, 0));
        sim_->set_motion(motion(scheme, 0.005, true), {});
    }
    struct Moments {
        double mean = 0, variance = 0;
    };
    Moments volumes(int samples, std::int64_t stride) {
        sim_->run(2000, no_interruption);
        double sum = 0, square = 0;
        for (int k = 0; k < samples; ++k) {
            sim_->run(stride, no_interruption);
            const double v = sim_->system().box.volume();
            sum += v, square += v * v;
        }
        return {sum / samples, square / samples - sum * sum / samples / samples};
    }
    static constexpr double kT = 1.5, pressure = 0.5, particles = 32, n = 3 * particles;

  private:
    std::unique_ptr<Simulation> sim_;
};

void expect_gas_volumes(Gas& gas) {
    // ∫ Vᴺ exp(−PV/kT): a gamma variate; momentum is conserved, so that N − 1 particles count for
    // the pressure's part of the kinetic energy (the measure's own power is that of the scheme).
    const auto got = gas.volumes(3000, 80);
    const double unit = Gas::kT / Gas::pressure;
    EXPECT_NEAR(got.mean / (Gas::particles * unit), 1, 0.05);
    EXPECT_NEAR(got.variance / (Gas::particles * unit * unit), 1, 0.2);
}

class Pressures : public ::testing::TestWithParam<std::pair<Barostat, BoxShape>> {
  protected:
    void SetUp() override { under_test = host(1); }
};
INSTANTIATE_TEST_SUITE_P(All, Pressures,
                         ::testing::Values(std::pair{Barostat::c_rescale, BoxShape::isotropic},
                                           std::pair{Barostat::c_rescale, BoxShape::semi_isotropic},
                                           std::pair{Barostat::c_rescale, BoxShape::anisotropic},
                                           std::pair{Barostat::parrinello_rahman,
                                                     BoxShape::isotropic}));

TEST_P(Pressures, AnIdealGasHasTheVolumesOfItsEnsemble) {
    if (core::sanitized || hostile_environment())
        GTEST_SKIP() << "statistics need a fast build; the code is covered by shorter tests";
    Gas gas(GetParam().first, GetParam().second, Thermostat::bussi, Scheme::leap_frog);
    expect_gas_volumes(gas);
}

/// Charged dumbbells in a tilted box, with bonds, constraints and a mesh.
TEST_P(MoleculesThermostats, ABarostatUsesTheReportedPressure) {
    auto start = liquid({4.4, 4.6, 4.8, 0.2, -0.1, 0.15}, 150, 0.55, 1.0);
    auto& p = start.particles;
    const auto n = p.position.size();
    Exclusions exclusions;
    exclusions.start = {0};
    TermColumns rigid;
    std::vector<Tag> bonds;
    std::vector<std::int32_t> rows;
    for (std::size_t i = 0; i < n; ++i) {
        p.charge.push_back(i % 2 == 0 ? 0.4 : -0.4);
        if (i % 2 == 1) {
            p.position[i] = p.position[i - 1] + Vec3d{0.2, 0.1, 0.05};
            p.image[i] = p.image[i - 1];
            const auto a = static_cast<std::int32_t>(i - 1);
            if (i % 4 == 1) {
                rigid.particles.push_back(a), rigid.particles.push_back(a + 1);
                rigid.row.push_back(0);
            } else {
                bonds.push_back(a), bonds.push_back(a + 1), rows.push_back(0);
            }
        }
        exclusions.partner.push_back(static_cast<std::int32_t>(i % 2 == 0 ? i + 1 : i - 1));
        exclusions.start.push_back(static_cast<std::int64_t>(i + 1));
    }
    rigid.parameters = {std::sqrt(0.0525)};
    for (const auto precision : {Precision::full, Precision::mixed}) {
        Simulation sim(on(2), precision, start.box, p, 1, 3);
        NonbondedSpec spec;
        spec.n_types = 1, spec.c6 = {0.002}, spec.c12 = {2e-5};
        spec.coulomb = Coulomb::ewald, spec.beta = 3;
        spec.r_vdw = spec.r_coulomb = 1.2, spec.coulomb_constant = 1;
        sim.set_nonbonded(spec);
        sim.set_exclusions(exclusions);
        sim.set_mesh({.grid = {24, 24, 24}, .order = 5});
        sim.add_bonded("harmonic_bond", bonds, rows, {0.25, 300});
        ConstraintSpec constraints;
        constraints.constraint = rigid;
        sim.set_constraints(constraints);
        CouplingSpec coupling;
        auto& b = coupling.barostat;
        b.kind = Barostat::berendsen, b.shape = BoxShape::anisotropic, b.every = 1, b.tau = 1;
        b.compressibility = {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3};
        sim.set_coupling(coupling, {});
        sim.set_motion(motion(Scheme::leap_frog, 0.001, true), {});
        sim.constrain_start();
        sim.run(3, no_interruption);
        const auto asked = sim.system().coupled.barostat.pending;
        const double factor = 1e-3 * 0.001 / 3;
        const auto told = sim.thermo().pressure_tensor;
        const double scale = std::abs(told.xx) + std::abs(told.yy) + std::abs(told.zz);
        const double tolerance = (precision == Precision::full ? 1e-9 : 2e-4) * scale;
        EXPECT_NEAR(asked.xx / factor, told.xx, tolerance);
        EXPECT_NEAR(asked.yy / factor, told.yy, tolerance);
        EXPECT_NEAR(asked.zz / factor, told.zz, tolerance);
        EXPECT_NEAR(asked.xy / factor, 2 * told.xy, tolerance);
        EXPECT_NEAR(asked.xz / factor, 2 * told.xz, tolerance);
        EXPECT_NEAR(asked.yz / factor, 2 * told.yz, tolerance);
    }
}

TEST_P(MoleculesThermostats, GroupsHaveTemperaturesOfTheirOwn) {
    if (core::sanitized || hostile_environment())
        GTEST_SKIP() << "statistics need a fast build; the code is covered by shorter tests";
    for (const auto thermostat : {Thermostat::bussi, Thermostat::nose_hoover, Thermostat::none}) {
        const auto start = fcc(5, 0.3, 0.0, 1.0);
        Simulation sim(on(1), Precision::full, start.box, start.particles, 1, 5);
        sim.add_pair(lennard_jones(0));
        const auto n = start.particles.position.size();
        std::vector<std::uint8_t> group(n);
        for (std::size_t i = 0; i < n; ++i) group[i] = i % 3 == 0 ? 1 : 0;
        const double of_one = static_cast<double>((n + 2) / 3);
        CouplingSpec spec;
        spec.thermostat = thermostat, spec.every = 2, spec.chain = 3;
        spec.groups = {{1.0, 0.1, 3 * (static_cast<double>(n) - of_one), {}, {}, false},
                       {2.5, 0.1, 3 * of_one, {}, {}, false}};
        sim.set_coupling(spec, group);
        // Without a thermostat the groups feel noise.
        sim.set_motion(
            motion(thermostat == Thermostat::none ? Scheme::stochastic : Scheme::leap_frog, 0.005,
                   true),
            {});
        sim.run(400, no_interruption);
        double first = 0, second = 0;
        const int samples = 200;
        for (int k = 0; k < samples; ++k) {
            sim.run(40, no_interruption);
            const auto t = sim.thermo().group_temperatures;
            first += t[0] / samples, second += t[1] / samples;
        }
        EXPECT_NEAR(first, 1.0, 0.02);
        EXPECT_NEAR(second, 2.5, 0.06);
    }
}

/// Pairs on springs of no length, with ω dt = 0.8: by velocities of whole steps they would be 8 %
/// too cold, by those of half steps they are exact.
TEST_P(MoleculesThermostats, StochasticDynamicsReportsTheTemperatureOfItsThermostat) {
    const double dt = 0.05, omega = 0.8 / dt, kT = 1.5;
    const auto start = fcc(4, 0.3, 0.0, kT);
    const auto n = static_cast<std::int32_t>(start.particles.position.size());
    Simulation sim(on(1), Precision::full, start.box, start.particles, 1, 5);
    sim.add_pair(lennard_jones(0));
    std::vector<Tag> ends(static_cast<std::size_t>(n));
    std::iota(ends.begin(), ends.end(), Tag(0));
    sim.add_bonded("harmonic_bond", ends, std::vector<std::int32_t>(ends.size() / 2, 0),
                   {0, 0.5 * omega * omega});
    sim.set_motion(motion(Scheme::stochastic, dt, true), {});
    couple_all(sim, kT, 0.2);
    sim.run(200, no_interruption);
    double mean = 0;
    const int samples = 300;
    for (int k = 0; k < samples; ++k) {
        sim.run(7, no_interruption);
        mean += sim.thermo().group_temperatures[0] / samples;
    }
    EXPECT_NEAR(mean, kT, 0.01 * kT);
}

}  // namespace
}  // namespace aureole::md::testing
