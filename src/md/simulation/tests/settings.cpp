// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/error.hpp"
#include "md/simulation/tests/molecules_systems.hpp"

// A simulation is what its settings say, in whichever order they came.
namespace aureole::md::testing {
namespace {

class Settings : public OnEngines {};
INSTANTIATE_TEST_SUITE_P(Engines, Settings, ::testing::ValuesIn(engines()), engine_name);

/// Triples: a dumbbell and a site on it, in which some particles are frozen.
class Triples {
  public:
    Triples() : start(fcc(4, 0.5, 0.02, 0.8)) {
        auto& p = start.particles;
        const auto n = static_cast<std::int32_t>(p.position.size());
        sites.n = n, sites.vsite2.parameters = {0.4};
        exclusions.start = {0};
        for (std::int32_t i = 0; i < n; ++i) {
            p.charge.push_back(i % 2 == 0 ? 0.3 : -0.3);
            exclusions.start.push_back(exclusions.start.back());
            if (i % 8 > 2) continue;
            for (auto k = i - i % 8; k < i - i % 8 + 3; ++k)
                if (k != i) exclusions.partner.push_back(k), ++exclusions.start.back();
            if (i % 8 != 2) continue;
            p.mass[std::size_t(i)] = 0, p.velocity[std::size_t(i)] = {};
            sites.vsite2.particles.insert(sites.vsite2.particles.end(), {i, i - 2, i - 1});
            sites.vsite2.row.push_back(0);
            const auto d = start.box.minimum_image(p.position[std::size_t(i) - 2] -
                                                   p.position[std::size_t(i) - 1]);
            auto& rigid = constraints.constraint;
            rigid.particles.insert(rigid.particles.end(), {i - 2, i - 1});
            rigid.row.push_back(static_cast<std::int32_t>(rigid.parameters.size()));
            rigid.parameters.push_back(std::sqrt(dot(d, d)));
        }
        axes.assign(p.position.size(), moves_freely);
        axes[0] = 0, axes[8] = axes[9] = 0, axes[4] = 1, axes[5] = 6;
    }

    std::vector<std::function<void(Simulation&)>> all() const {
        NonbondedSpec forces;
        forces.n_types = 1, forces.c6 = {4}, forces.c12 = {4};
        forces.r_vdw = forces.r_coulomb = 2.4, forces.coulomb_constant = 1;
        forces.epsilon_r = 1, forces.epsilon_rf = 10;
        CouplingSpec coupling;
        coupling.thermostat = Thermostat::nose_hoover, coupling.every = 2;
        coupling.groups = {{0.8, 0.5, 300, {}, {}, false}, {1.2, 0.5, 300, {}, {}, false}};
        auto& b = coupling.barostat;
        b.kind = Barostat::berendsen, b.every = 3, b.tau = 1;
        b.compressibility = {0.05, 0.05, 0.05, 0, 0, 0}, b.pressure = {1, 1, 1, 0, 0, 0};
        std::vector<std::uint8_t> group(axes.size());
        for (std::size_t i = 0; i < group.size(); ++i) group[i] = i % 3 == 0 ? 1 : 0;
        auto how = motion(Scheme::leap_frog, 0.002, true);
        how.remove_com_every = 5, how.dof = 600;
        return {[=](Simulation& s) { s.set_motion(how, {}); },
                [=, this](Simulation& s) { s.set_free_axes(axes); },
                [=, this](Simulation& s) { s.set_sites(sites); },
                [=, this](Simulation& s) { s.set_constraints(constraints); },
                [=](Simulation& s) { s.set_coupling(coupling, group); },
                [=](Simulation& s) { s.set_dispersion(TailCorrection::energy_and_pressure); },
                [=](Simulation& s) {
                    s.set_electric_field({{0.3, 0, 0.1}, {}, {}, {}});
                },
                [=, this](Simulation& s) { s.set_exclusions(exclusions); },
                [=](Simulation& s) { s.set_list({.exact = false}); },
                [=](Simulation& s) { s.set_nonbonded(forces); }};
    }

    Start start;
    SiteSpec sites;
    ConstraintSpec constraints;
    Exclusions exclusions;
    std::vector<std::uint8_t> axes;
};

TEST_P(Settings, InAnyOrderMakeTheSameSimulation) {
    const Triples triples;
    auto settings = triples.all();
    std::optional<Phase> first;
    std::optional<Thermo> told;
    const auto run = [&] {
        Simulation sim(on(2), Precision::full, triples.start.box, triples.start.particles, 1, 3);
        for (const auto& set : settings) set(sim);
        const auto before = phase(sim);
        const auto corner = sim.system().box.lattice(0.5, 0.5, 0.5);
        sim.run(10, no_interruption);
        const auto now = phase(sim);
        const auto corner_now = sim.system().box.lattice(0.5, 0.5, 0.5);
        const auto moved = [&](std::size_t i) {
            return now.position[i] + corner_now - (before.position[i] + corner);
        };
        for (const std::size_t frozen : {0, 8, 9})
            EXPECT_LT(dot(moved(frozen), moved(frozen)), 1e-24);
        EXPECT_LT(std::abs(moved(4).y), 1e-12);
        EXPECT_GT(std::abs(moved(4).x), 1e-6);
        EXPECT_GT(dot(moved(1), moved(1)), 1e-12);
        const auto t = sim.thermo();
        if (!first) first = now, told = t;
        EXPECT_EQ(now, *first);
        EXPECT_EQ(t.potential, told->potential);
        EXPECT_EQ(t.pressure, told->pressure);
        EXPECT_EQ(t.dof, 600);
        EXPECT_EQ(t.of_force.size(), 3U);  // dispersion's correction among them
    };
    run();
    std::ranges::reverse(settings);
    run();
    std::ranges::rotate(settings, settings.begin() + 3);
    run();
}

/// A setting made after a run replaces the one made before, and nothing else.
TEST_P(Settings, ALaterOneReplacesTheEarlier) {
    const auto start = fcc(3, 0.8, 0.05, 1.0);
    const auto n = start.particles.position.size();
    Simulation sim(on(1), Precision::full, start.box, start.particles, 1, 3);
    sim.add_pair(lennard_jones(2.0, EnergyMode::force_shift));
    std::vector<std::uint8_t> axes(n, moves_freely), group(n, 1);
    axes[5] = 0, group[6] = 0;
    sim.set_motion(motion(Scheme::leap_frog, 0.002), group);
    sim.set_free_axes(axes);
    const auto moved = [&](std::size_t i) {
        const auto before = phase(sim).position[i];
        sim.run(2, no_interruption);
        return !(phase(sim).position[i] == before);
    };
    EXPECT_FALSE(moved(5));
    EXPECT_FALSE(moved(6));
    EXPECT_TRUE(moved(7));
    sim.set_motion(motion(Scheme::verlet, 0.002), {});
    EXPECT_FALSE(moved(5));
    EXPECT_TRUE(moved(6));
    sim.set_free_axes(std::vector<std::uint8_t>(n, moves_freely));
    EXPECT_TRUE(moved(5));
}

TEST_P(Settings, AMassThatIsSetLaterIsTheConstraintsToo) {
    auto start = fcc(3, 0.8, 0.05, 0.0);  // at rest, whatever it weighs
    const auto sim = bound(start, motion(Scheme::verlet, 0.002));
    auto mass = start.particles.mass;
    mass[3] = 7;
    sim->set_masses(to_local_order(mass, download_tags(sim->queue(), sim->particles())));
    sim->run(5, no_interruption);
    start.particles.mass = mass;
    const auto fresh = bound(start, motion(Scheme::verlet, 0.002));
    fresh->run(5, no_interruption);
    const auto a = phase(*sim), b = phase(*fresh);
    for (std::size_t i = 0; i < mass.size(); ++i) {
        const auto d = a.position[i] - b.position[i];
        EXPECT_LT(std::sqrt(dot(d, d)), 1e-6);
    }
    EXPECT_LT(worst_length(*sim, dumbbells(start)), 1e-10);
}

TEST_P(Settings, WhatNoStepCanDoIsRefusedInAnyOrder) {
    const auto start = fcc(3, 0.8, 0.05, 1.0);
    const auto sim = bound(start, motion(Scheme::verlet, 0.002));
    sim->run(1, no_interruption);
    auto two = langevin(0.002, 1, 1);  // thermostats
    two.coupled = true;
    sim->set_motion(two, {});
    EXPECT_THROW(sim->run(1, no_interruption), core::InputError);
    const auto noisy =
        simulate(start, lennard_jones(2), motion(Scheme::stochastic, 0.002, true), on(1));
    EXPECT_THROW(noisy->run(1, no_interruption), core::InputError);
    auto leap = bussi(0.002, 1, 1, 10);
    leap.scheme = Scheme::leap_frog;  // has groups with temperatures
    const auto other = simulate(start, lennard_jones(2), leap, on(1));
    EXPECT_THROW(other->run(1, no_interruption), core::InputError);
}

}  // namespace
}  // namespace aureole::md::testing
