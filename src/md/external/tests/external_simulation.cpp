// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "md/simulation/tests/systems.hpp"

// External forces in simulations, on every engine and device of this machine.
namespace aureole::md::testing {
namespace {

class ExternalSimulation : public ::testing::TestWithParam<DeviceSpec> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, ExternalSimulation, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return name_of(p.param); });

core::Box slit() { return {8, 8, 8, 0, 0, 0, true, true, false}; }
Start slit_liquid() {
    auto start = liquid({8, 8, 6}, 250, 0.9, 1.0, 5);
    start.box = slit();
    for (std::size_t i = 0; i < start.particles.mass.size(); ++i)
        start.particles.mass[i] = i % 3 == 0 ? 2.5 : 1;
    return start;
}
const ExternalSpec lower{"LennardJonesWall", {1.5, 0.9, 0, 0, 2, -4, 2.5}, {}};
const ExternalSpec upper{"LennardJonesWall", {1, 1, 0, 0, -1, -4, 2}, {}};
const ExternalSpec trap{"HarmonicTrap", {2, 0.5, 0, 3.5, -1, 0}, {}};
const ExternalSpec gravity{"Gravity", {0, 0, -0.3}, {}};

ExternalSpec on_even(ExternalSpec spec, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) spec.group.push_back(i % 2 == 0 ? 1 : 0);
    return spec;
}

std::unique_ptr<Simulation> make(const DeviceSpec& device, Precision precision) {
    const auto start = slit_liquid();
    auto sim =
        simulate(start, lennard_jones(2.5, EnergyMode::force_shift), nve(0.002), device, precision);
    for (const auto& spec : {lower, upper, gravity}) sim->add_external(spec);
    sim->add_external(on_even(trap, start.particles.position.size()));
    return sim;
}

struct Alone {
    double energy;
    Vec3d force;
};
Alone on_wall(double epsilon, double sigma, double d, double r_cut, double direction) {
    if (d >= r_cut) return {0, {}};
    const auto u = [&](double at) {
        return epsilon * (2.0 / 15 * std::pow(sigma / at, 9) - std::pow(sigma / at, 3));
    };
    const double slope = epsilon * (-1.2 * std::pow(sigma / d, 9) + 3 * std::pow(sigma / d, 3)) / d;
    return {u(d) - u(r_cut), {0, 0, -direction * slope}};
}
/// External forces by hand, in another way than the leaf files.
Alone by_hand(std::size_t force, const Vec3d& r, double mass, std::size_t tag) {
    switch (force) {
        case 0:
            return on_wall(1.5, 0.9, r.z + 4, 2.5, 1);
        case 1:
            return on_wall(1, 1, 4 - r.z, 2, -1);
        case 2:
            return {0.3 * mass * r.z, {0, 0, -0.3 * mass}};
        default:
            break;
    }
    if (tag % 2 != 0) return {0, {}};
    const auto nearest = [](double d) { return d - 8 * std::round(d / 8); };
    const double x = nearest(r.x - 3.5), y = nearest(r.y + 1);
    return {x * x + 0.25 * y * y, {-2 * x, -0.5 * y, 0}};
}

std::vector<Vec3d> forces_by_tag(Simulation& sim) {
    const auto forces = sim.forces();
    return to_tag_order(forces, download_tags(sim.queue(), sim.particles()));
}

/// External forces add nothing to the virial, as in LAMMPS and in the accelerated groups of
/// GROMACS.
void expect_no_part_in_the_virial(Simulation& sim, Simulation& without) {
    const auto with = sim.thermo(), plain = without.thermo();
    for (std::size_t k = 0; k < with.of_force.size(); ++k) {
        const auto virial = k == 0 ? plain.of_force[0].virial : core::Sym3d{};
        EXPECT_EQ(with.of_force[k].virial.xx, virial.xx) << k;
        EXPECT_EQ(with.of_force[k].virial.zz, virial.zz) << k;
        EXPECT_EQ(with.of_force[k].virial.xy, virial.xy) << k;
    }
    EXPECT_NEAR(with.pressure, plain.pressure, 1e-12 * std::abs(plain.pressure));
    EXPECT_GT(std::abs(plain.of_force[0].virial.zz), 1.0);
}

TEST_P(ExternalSimulation, ForcesAndEnergiesAreThoseByHandAndTheVirialIsThatWithoutThem) {
    for (const auto precision : {Precision::mixed, Precision::full}) {
        const auto start = slit_liquid();
        const auto n = start.particles.position.size();
        const auto sim = make(GetParam(), precision);
        auto plain = simulate(start, lennard_jones(2.5, EnergyMode::force_shift), nve(0.002),
                              GetParam(), precision);
        const double rounding = precision == Precision::mixed ? 2e-5 : 1e-11;
        const auto forces = forces_by_tag(*sim), without = forces_by_tag(*plain);
        std::vector<double> energy(4, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            const auto& r = start.particles.position[i];
            Vec3d sum{};
            for (std::size_t k = 0; k < 4; ++k) {
                const auto one = by_hand(k, r, start.particles.mass[i], i);
                energy[k] += one.energy, sum += one.force;
            }
            const auto error = forces[i] - without[i] - sum;
            ASSERT_LT(std::sqrt(dot(error, error)), 100 * rounding) << "particle " << i;
        }
        const auto thermo = sim->thermo();
        const auto names = term_names(sim->system());
        ASSERT_EQ(thermo.of_force.size(), 5u);
        EXPECT_EQ(names[1], "LennardJonesWall");
        EXPECT_EQ(names[4], "HarmonicTrap");
        for (std::size_t k = 0; k < 4; ++k)
            EXPECT_NEAR(thermo.of_force[k + 1].energy, energy[k], 1e-9) << names[k + 1];
        expect_no_part_in_the_virial(*sim, *plain);
        EXPECT_GT(std::abs(energy[0]) * std::abs(energy[1]) * energy[3], 1.0);
        double of_particles = 0;
        for (const double e : sim->particle_sums().energy) of_particles += e;
        EXPECT_NEAR(of_particles, thermo.potential, 1e-4 * std::abs(thermo.potential));
    }
}

/// Hardly any particle has a neighbour, so that threads have no other force for most of them.
TEST_P(ExternalSimulation, ForcesOnAGasAreThoseByHand) {
    for (const auto precision : {Precision::mixed, Precision::full})
        for (const bool pairs : {false, true}) {
            auto start = slit_liquid();
            for (auto& r : start.particles.position) r.x *= 40, r.y *= 40;
            start.box = {320, 320, 8, 0, 0, 0, true, true, false};
            Simulation sim(GetParam(), precision, start.box, start.particles, start.n_types, 7);
            if (pairs) sim.add_pair(lennard_jones(2.5));
            sim.add_external(gravity);
            const auto forces = forces_by_tag(sim);
            std::size_t alone = 0;
            for (std::size_t i = 0; i < forces.size(); ++i) {
                const auto expected = by_hand(2, {}, start.particles.mass[i], i).force;
                const auto error = forces[i] - expected;
                if (std::sqrt(dot(error, error)) < 1e-6) ++alone;
                ASSERT_TRUE(pairs || std::sqrt(dot(error, error)) < 1e-6) << "particle " << i;
            }
            EXPECT_GT(alone, forces.size() * 9 / 10);
        }
}

TEST_P(ExternalSimulation, TheEnergyIsConserved) {
    const auto sim = make(GetParam(), Precision::full);
    const auto energy = [&] {
        const auto t = sim->thermo();
        return t.potential + t.kinetic;
    };
    sim->run(steps(50), no_interruption);
    const double before = energy(), walls = sim->thermo().of_force[1].energy;
    sim->run(steps(300), no_interruption);
    EXPECT_NEAR(energy(), before, 0.002 * static_cast<double>(sim->particles().n));
    EXPECT_GT(std::abs(sim->thermo().of_force[1].energy - walls), 1e-3);  // they have moved
}

TEST_P(ExternalSimulation, ARestartGoesOnToTheBit) {
    for (const auto precision : {Precision::mixed, Precision::full}) {
        const auto file = scratch_file("external_" + name_of(GetParam()));
        const auto sim = make(GetParam(), precision);
        sim->run(37, no_interruption);
        sim->write_checkpoint(file, "");
        sim->run(30, no_interruption);
        std::string extra;
        const auto other = Simulation::read_checkpoint(file, GetParam(), extra);
        other->run(30, no_interruption);
        EXPECT_EQ(phase(*other), phase(*sim));
        EXPECT_EQ(other->thermo().potential, sim->thermo().potential);
    }
}

TEST_P(ExternalSimulation, ABlowUpNamesTheWallThatWasPassed) {
    auto start = slit_liquid();
    start.particles.velocity[17] = {0, 0, -100};
    auto nothing = lennard_jones(2.5);
    nothing.parameters[0] = 0;  // it interacts with no particle on its way
    auto sim = simulate(start, nothing, nve(0.01), GetParam());
    sim->add_external(lower), sim->add_external(upper);
    try {
        sim->run(20, no_interruption);
        FAIL() << "it went through the wall";
    } catch (const core::BlowUpError& error) {
        EXPECT_EQ(error.what_happened.tag, 17);
        EXPECT_EQ(error.what_happened.force, "LennardJonesWall");
    }
}

TEST_P(ExternalSimulation, AnUnknownColumnIsAskedFor) {
    auto start = slit_liquid();
    auto sim = simulate(start, lennard_jones(2.5), nve(0.01), GetParam());
    EXPECT_THROW(sim->add_external({"Gravitation", {}, {}}), core::InputError);
    EXPECT_THROW(sim->add_external({"Gravity", {1, 2}, {}}), core::InputError);
    EXPECT_THROW(sim->add_external({"Gravity", {1, 2, NAN}, {}}), core::InputError);
    EXPECT_THROW(sim->add_external({"Gravity", {1, 2, 3}, {1, 0}}), core::InputError);
    auto periodic = start;
    periodic.box.periodic_z = true;
    sim = simulate(periodic, lennard_jones(2.5), nve(0.01), GetParam());
    EXPECT_THROW(sim->add_external(lower), core::InputError);
}

}  // namespace
}  // namespace aureole::md::testing
