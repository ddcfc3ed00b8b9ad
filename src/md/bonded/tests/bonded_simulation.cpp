// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "md/bonded/tests/terms.hpp"
#include "md/simulation/tests/systems.hpp"

// Bonded terms in simulations, on every engine and device of this machine.
namespace aureole::md::testing {
namespace {

class BondedSimulation : public ::testing::TestWithParam<DeviceSpec> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, BondedSimulation, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return name_of(p.param); });

/// A box of chains, with a term of every kind on each.
struct AllTerms {
    Start start;
    std::vector<TermSpec> specs;
    BondedTerms checked;
};
AllTerms all_terms(const core::Box& box, int chains) {
    AllTerms all;
    all.checked.set_constants(test_constants());
    all.start.box = box;
    for (const auto& name : term_names()) {
        auto made = chains_of(name, box, chains, 17);
        all.start.particles.position = made.position;
        all.checked.add(made.terms, static_cast<std::int64_t>(made.position.size()));
        all.specs.push_back(made.terms);
    }
    complete(all.start, 1, 3, 1);
    return all;
}
std::unique_ptr<Simulation> simulate(const AllTerms& all, const DeviceSpec& device,
                                     Precision precision) {
    auto sim =
        std::make_unique<Simulation>(device, precision, all.start.box, all.start.particles, 1, 7);
    sim->set_bonded_constants(test_constants());
    for (const auto& s : all.specs) sim->add_bonded(s.name, s.particles, s.row, s.parameters);
    return sim;
}

std::vector<Vec3d> forces_by_tag(Simulation& sim) {
    const auto forces = sim.forces();
    return to_tag_order(forces, download_tags(sim.queue(), sim.particles()));
}

TEST_P(BondedSimulation, ForcesEnergiesAndVirialsAreTheReferences) {
    for (const auto& box : {core::Box{14, 15, 16}, core::Box{16, 15, 17, 0.3, -0.2, 0.35}})
        for (const auto precision : {Precision::mixed, Precision::full}) {
            const auto all = all_terms(box, 60);
            const auto sim = simulate(all, GetParam(), precision);
            const auto want = reference(all.checked, box, all.start.particles.position);
            const double rounding = precision == Precision::mixed ? 1e-5 : 1e-13;
            double largest = 0;
            for (const auto& f : want.force) largest = std::max(largest, size(f));
            const auto thermo = sim->thermo();
            const auto got = forces_by_tag(*sim);
            for (std::size_t i = 0; i < got.size(); ++i)
                ASSERT_LT(size(got[i] - want.force[i]), rounding * largest) << "particle " << i;
            EXPECT_NEAR(thermo.potential, want.energy, rounding * want.scale);
            for (int k = 0; k < 6; ++k)
                EXPECT_NEAR((&thermo.virial.xx)[k], (&want.virial.xx)[k],
                            rounding * box.lx * largest);
            ASSERT_EQ(thermo.of_force.size(), term_kinds().size());
            // P V = Σ m v² / 3 + Σ r · F / 3
            EXPECT_NEAR(3 * thermo.pressure * box.volume(),
                        2 * thermo.kinetic + want.virial.trace(), 20 * rounding * largest * box.lx);
        }
}

/// A dodecahedron: many separations have a shorter image than the one along the box's vectors.
TEST_P(BondedSimulation, BondsOfAnyLengthTakeTheShortestImage) {
    constexpr double length = 12, k = 50, rest = 1;
    const core::Box box{length, length, length * std::sqrt(0.5), 0, std::sqrt(0.5), std::sqrt(0.5)};
    auto start = liquid(box, 200, 0.5, 1, 3);
    const auto& r = start.particles.position;
    const auto n = static_cast<std::int32_t>(r.size());
    TermSpec bonds{.name = "harmonic_bond", .particles = {}, .row = {}, .parameters = {rest, k}};
    double energy = 0;
    int across = 0;
    std::vector<Vec3d> force(r.size());
    for (std::int32_t i = 0; i + 1 < n; i += 2) {
        bonds.particles.insert(bonds.particles.end(), {i, i + 1}), bonds.row.push_back(0);
        const auto a = static_cast<std::size_t>(i);
        auto shortest = r[a] - r[a + 1];
        for (int c = 0; c < 125; ++c) {
            const auto d = r[a] - r[a + 1] + box.lattice(c % 5 - 2, c / 5 % 5 - 2, c / 25 - 2);
            if (dot(d, d) < dot(shortest, shortest)) shortest = d;
        }
        const double s = size(shortest);
        across += s < size(box.minimum_image(r[a] - r[a + 1])) - 1e-9 ? 1 : 0;
        energy += 0.5 * k * (s - rest) * (s - rest);
        force[a] = (-k * (s - rest) / s) * shortest, force[a + 1] = (-1.0) * force[a];
    }
    EXPECT_GT(across, 3);
    for (const auto precision : {Precision::mixed, Precision::full}) {
        Simulation sim(GetParam(), precision, box, start.particles, 1, 1);
        sim.add_bonded(bonds.name, bonds.particles, bonds.row, bonds.parameters);
        const double rounding = precision == Precision::mixed ? 1e-5 : 1e-12;
        EXPECT_NEAR(sim.thermo().potential, energy, rounding * energy);
        const auto got = forces_by_tag(sim);
        for (std::size_t i = 0; i < got.size(); ++i)
            ASSERT_LT(size(got[i] - force[i]), rounding * k * length) << "particle " << i;
    }
}

TEST_P(BondedSimulation, EnergiesByNameAndByParticleAddUp) {
    const auto all = all_terms({14, 15, 16}, 30);
    const auto sim = simulate(all, GetParam(), Precision::full);
    const auto thermo = sim->thermo();
    std::vector<double> by_name(term_kinds().size(), 0.0);
    all.checked.for_each(
        all.start.box, all.start.particles.position,
        [&](std::size_t k, const Tag*, const TermResult& one) { by_name[k] += one.energy; });
    for (std::size_t k = 0; k < by_name.size(); ++k)
        EXPECT_NEAR(thermo.of_force[k].energy, by_name[k], 1e-11 * (std::abs(by_name[k]) + 100))
            << all.checked.name(k);
    const auto sums = sim->particle_sums();
    double energy = 0;
    core::Sym3d virial{};
    for (const double e : sums.energy) energy += e;
    for (const auto& v : sums.virial) virial += v;
    EXPECT_NEAR(energy, thermo.potential, 1e-11 * std::abs(thermo.potential) + 1e-9);
    EXPECT_NEAR(virial.trace(), thermo.virial.trace(), 1e-10 * std::abs(thermo.virial.trace()));
}

/// Flexible molecules of five in a Lennard-Jones liquid: the terms of every kind that may stay on
/// for long.
std::unique_ptr<Simulation> flexible(const DeviceSpec& device, Precision precision,
                                     int molecules = 60) {
    constexpr double length = 16;
    std::mt19937_64 random(4);
    Start start;
    start.box = {length, length, length};
    const int side = static_cast<int>(std::ceil(std::cbrt(molecules)));
    for (int m = 0; m < molecules; ++m)
        for (int p = 0; p < 5; ++p) {
            const double cell = length / side;
            const double zig = p % 2 == 0 ? 0.25 : -0.25;
            start.particles.position.push_back(
                Vec3d{(m % side + 0.5) * cell + 0.75 * (p - 2),
                      (m / side % side + 0.5) * cell + zig,
                      (m / side / side + 0.5) * cell + 0.2 * (p % 3)} -
                Vec3d{length / 2, length / 2, length / 2});
        }
    complete(start, 0.5, 3, 1);
    auto sim = std::make_unique<Simulation>(device, precision, start.box, start.particles, 1, 7);
    auto soft = lennard_jones(2.0, EnergyMode::xplor);
    soft.parameters = {0.05, 0.7};
    sim->add_pair(soft);
    std::vector<Tag> bonds, angles, dihedrals;
    std::vector<std::int32_t> bond_row, zero;
    for (std::int32_t m = 0; m < molecules; ++m)
        for (std::int32_t p = 0; p < 4; ++p) {
            const std::int32_t i = 5 * m + p;
            bonds.insert(bonds.end(), {i, i + 1}), bond_row.push_back(p % 2);
            if (p < 3) angles.insert(angles.end(), {i, i + 1, i + 2});
            if (p < 2) dihedrals.insert(dihedrals.end(), {i, i + 1, i + 2, i + 3});
        }
    zero.resize(static_cast<std::size_t>(molecules) * 3, 0);
    sim->add_bonded("harmonic_bond", bonds, bond_row, {0.9, 300, 0.95, 250});
    sim->add_bonded("harmonic_angle", angles, zero, {1.9, 40});
    zero.resize(static_cast<std::size_t>(molecules) * 2);
    sim->add_bonded("periodic_dihedral", dihedrals, zero, {0.3, 1.5, 3});
    sim->add_bonded("ryckaert_bellemans", dihedrals, zero, {1, 0.5, -0.4, 0.6, 0.1, -0.2});
    return sim;
}

TEST_P(BondedSimulation, EnergyIsConserved) {
    for (const auto precision : {Precision::mixed, Precision::full}) {
        double drift[2];
        for (int k = 0; k < 2; ++k) {
            const auto sim = flexible(GetParam(), precision);
            const double dt = k == 0 ? 0.004 : 0.002;
            sim->set_motion(nve(dt), {});
            const auto before = sim->thermo();
            double worst = 0;
            for (int part = 0; part < 10; ++part) {
                sim->run(steps(k == 0 ? 100 : 200), no_interruption);
                const auto now = sim->thermo();
                worst = std::max(worst, std::abs(now.kinetic + now.potential - before.kinetic -
                                                 before.potential));
            }
            drift[k] = worst / before.kinetic;
        }
        // Velocity Verlet: the error of the energy falls with dt².
        EXPECT_LT(drift[0], 8e-3);
        EXPECT_LT(drift[1], 0.4 * drift[0]);
    }
}

TEST_P(BondedSimulation, ARestartIsTheUninterruptedRun) {
    const auto file = scratch_file("bonded_" + name_of(GetParam()));
    const auto n = steps(120);
    for (const auto precision : {Precision::mixed, Precision::full}) {
        auto sim = flexible(GetParam(), precision);
        sim->set_bonded_constants(test_constants());
        sim->set_motion(langevin(0.004, 0.5, 1), {});
        sim->run(n / 3, no_interruption);
        sim->thermo();  // looking changes nothing
        sim->write_checkpoint(file, "");
        sim->run(n, no_interruption);
        std::string note;
        const auto again = Simulation::read_checkpoint(file, GetParam(), note);
        EXPECT_EQ(again->system().bonded.constants().maps.size(), 2u);
        again->run(n, no_interruption);
        EXPECT_EQ(phase(*again), phase(*sim));
    }
}

TEST(BondedThreads, ChangeForcesByRoundingAlone) {
    const auto all = all_terms({14, 15, 16}, 200);
    const auto want = forces_by_tag(*simulate(all, host(1), Precision::full));
    double largest = 0;
    for (const auto& f : want) largest = std::max(largest, size(f));
    for (const int threads : {2, 3, 7}) {
        const auto got = forces_by_tag(*simulate(all, host(threads), Precision::full));
        for (std::size_t i = 0; i < got.size(); ++i)
            ASSERT_LT(size(got[i] - want[i]), 1e-14 * largest) << threads << " threads";
    }
}

}  // namespace
}  // namespace aureole::md::testing
