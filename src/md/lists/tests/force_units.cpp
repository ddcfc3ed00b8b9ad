// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "md/checkpoint/state_blocks.hpp"
#include "md/lists/force_unit.hpp"
#include "md/lists/tests/flat_systems.hpp"
#include "md/simulation/tests/systems.hpp"

// The unit of forces in fixed point: any system of units, and forces that change by many powers of
// ten. Cluster lists, whose forces are floating-point numbers, say what is right.
namespace aureole::md::testing {
namespace {

DeviceSpec flat_lists() { return {{.name = "host-lanes", .threads = 1, .pin = false}}; }

/// One of each in a system of units, as many units as it has.
struct Units {
    const char* name;
    double length, energy, mass;
    double time() const { return length * std::sqrt(mass / energy); }
    double speed() const { return length / time(); }
};

const Units si{"SI", 3.4e-10, 1.65e-21, 6.6e-26};

Start in_units(Start start, const Units& u) {
    auto& box = start.box;
    box.lx *= u.length, box.ly *= u.length, box.lz *= u.length;
    auto& p = start.particles;
    for (auto& r : p.position) r = u.length * r;
    for (auto& v : p.velocity) v = u.speed() * v;
    for (auto& m : p.mass) m *= u.mass;
    return start;
}

PairForceSpec in_units(PairForceSpec spec, const Units& u) {
    for (std::size_t k = 0; k < spec.parameters.size(); k += 2)
        spec.parameters[k] *= u.energy, spec.parameters[k + 1] *= u.length;
    for (auto* lengths : {&spec.r_cut, &spec.r_switch})
        for (auto& r : *lengths) r *= u.length;
    return spec;
}

double largest_difference(const Phase& a, const Phase& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.position.size(); ++i) {
        const auto d = a.position[i] - b.position[i];
        most = std::max(most, std::sqrt(dot(d, d)));
    }
    return most;
}

TEST(ForceUnits, AnySystemOfUnitsWillDo) {
    const auto end = [](const Units& u, Precision precision) {
        const auto sim = simulate(in_units(fcc(3, 0.8, 0.05), u),
                                  in_units(lennard_jones(2, EnergyMode::xplor), u),
                                  nve(0.004 * u.time()), flat_lists(), precision);
        sim->run(100, no_interruption);
        auto state = phase(*sim);
        for (auto& r : state.position) r = (1 / u.length) * r;
        return state;
    };
    const auto compare = [&](Precision precision, double tolerance, const std::vector<Units>& all) {
        const auto reduced = end({"reduced", 1, 1, 1}, precision);
        for (const auto& u : all)
            EXPECT_LT(largest_difference(end(u, precision), reduced), tolerance) << u.name;
    };
    const Units md{"kJ/mol, nm and u", 0.34, 0.996, 39.9}, small{"small", 0.01, 1e-6, 1e-12};
    compare(Precision::mixed, 2e-5, {md, small, {"large", 20, 1e9, 1e-3}});
    compare(Precision::full, 1e-11,
            {md, small, si, {"cgs", 3.4e-8, 1.65e-14, 6.6e-23}, {"large", 1e3, 1e12, 1e-3}});
}

TEST(ForceUnits, CoefficientsBeyondSinglePrecisionAreRefused) {
    for (const auto& device : {flat_lists(), host(1)}) {
        const auto sim =
            simulate(in_units(fcc(3, 0.8, 0.05), si),
                     in_units(lennard_jones(2, EnergyMode::xplor), si), nve(1e-15), device);
        EXPECT_THROW(sim->run(1, no_interruption), core::InputError);
    }
}

/// Two particles without a force between them, which collide after some lists.
TEST(ForceUnits, CollisionsInAGasOfZeroForces) {
    for (const double energy : {1.0, 1e-20, 1e15}) {
        const Units u{"", 1, energy, 1};
        Start start;
        start.box = {40, 40, 40};
        start.particles.position = {{-4, 0.1, 0}, {4, 0, 0}, {0, 15, 15}};
        complete(start, 0, 1, 1);
        start.particles.velocity = {{20, 0, 0}, {-20, 0, 0}, {0, 0, 0}};
        const auto end = [&](const DeviceSpec& device) {
            const auto sim = simulate(in_units(start, u), in_units(lennard_jones(2.5), u),
                                      nve(0.001 * u.time()), device, Precision::full);
            sim->run(400, no_interruption);
            return phase(*sim);
        };
        const auto got = end(flat_lists());
        EXPECT_LT(largest_difference(got, end(host(1))), 1e-8) << energy;
        EXPECT_LT(got.velocity[0].x, 0) << energy;
    }
}

/// Particles at rest, far from each other, which noise sets in motion.
TEST(ForceUnits, NoiseFromRest) {
    const Units& u = si;
    auto start = fcc(3, 0.05, 0, 0);
    for (auto& v : start.particles.velocity) v = {};
    const auto end = [&](const DeviceSpec& device) {
        const auto sim =
            simulate(in_units(start, u), in_units(lennard_jones(2.5), u),
                     langevin(0.004 * u.time(), u.energy, 1 / u.time()), device, Precision::full);
        sim->run(steps(1000), no_interruption);
        return phase(*sim);
    };
    EXPECT_LT(largest_difference(end(flat_lists()), end(host(1))), 1e-6 * u.length);
}

/// Pairs so close that their forces are 10¹² times the usual.
Start with_overlaps() {
    auto start = fcc(3, 0.8, 0.02);
    auto& r = start.particles.position;
    r[10] = r[20] + Vec3d{0.11, 0, 0}, r[50] = r[60] + Vec3d{0, 0.12, 0};
    return start;
}

TEST(ForceUnits, OverlapsArePulledApart) {
    for (const bool by_fire : {false, true})
        for (const auto precision : {Precision::mixed, Precision::full}) {
            const auto energy = [&](const DeviceSpec& device) {
                const auto sim = simulate(with_overlaps(), lennard_jones(2, EnergyMode::xplor),
                                          nve(0.004), device, precision);
                if (by_fire)
                    sim->minimize({.force_tolerance = 1e-2, .max_steps = 5000}, no_interruption);
                else
                    sim->descend({.force_tolerance = 1e-1, .max_steps = 5000}, [](const auto&) {});
                return sim->thermo().potential;
            };
            const double want = energy(host(1));
            EXPECT_LT(want, -400) << by_fire;
            EXPECT_NEAR(energy(flat_lists()), want, 2e-2 * std::abs(want)) << by_fire;
        }
}

/// A bad start must not make the forces of later steps coarse.
TEST(ForceUnits, FollowForcesThatFall) {
    auto device = device::Device::host({.threads = 1, .pin = false});
    device::Queue queue(device);
    System system;
    const auto start = with_overlaps();
    system.box = start.box, system.seed = 3;
    system.particles = upload(queue, start.particles);
    system.forces.emplace_back(lennard_jones(2, EnergyMode::xplor));
    system.motion = langevin(0.002, 0.5, 20);
    system.motion.longest_move = 0.02;
    const auto engine = make_flat_engine<double>(queue, system);
    const auto exponent = [&] {
        StateBlocks blocks;
        engine->save(blocks);
        return get<ForceUnitRecord>(blocks, ForceUnitRecord::block, 1)[0].exponent;
    };
    engine->prepare();
    const auto before = exponent();
    engine->advance(300);
    engine->close_steps();
    EXPECT_LT(exponent(), before - 20);
    const auto reference = all_pairs<double>(system, download(queue, system.particles.position),
                                             download(queue, system.particles.type));
    const auto forces = download_forces(queue, *engine, system.particles.n);
    EXPECT_LT(deviation(forces, reference.force).largest, 1e-12);
}

TEST(ForceUnits, ANumberThatIsNoneNamesItsParticle) {
    auto start = fcc(3, 0.8, 0.02);
    start.particles.position[33] = start.particles.position[44];
    const auto sim = simulate(start, lennard_jones(2), nve(0.004), flat_lists());
    try {
        sim->run(10, no_interruption);
        FAIL() << "no error";
    } catch (const core::Error& error) {
        const std::string what = error.what();
        EXPECT_TRUE(what.find("33") != std::string::npos || what.find("44") != std::string::npos)
            << what;
    }
}

/// A crystal without noise: contributions of the size of 10, whose sums are next to nothing.
TEST(ForceUnits, ContributionsThatCancel) {
    for (const auto precision : {Precision::mixed, Precision::full})
        for (const char* algorithm : {"lanes", "tiles"}) {
            if (precision == Precision::full && std::string(algorithm) == "tiles") continue;
            auto device = flat_lists();
            device.algorithm = algorithm;
            auto start = fcc(4, 1.05, 0, 0);
            for (auto& v : start.particles.velocity) v = {};
            const auto sim = simulate(start, lennard_jones(2.5, EnergyMode::force_shift),
                                      nve(0.004), device, precision);
            sim->add_bonded("harmonic_bond", {0, 1, 1, 2}, {0, 0}, {0.1, 1e6});
            const double before = sim->thermo().potential;
            sim->clear_forces();
            sim->add_pair(lennard_jones(2.5, EnergyMode::force_shift));
            sim->run(20, no_interruption);
            EXPECT_GT(before, sim->thermo().potential);
            EXPECT_LT(sim->thermo().kinetic, 1e-6);
        }
}

/// At least as fine as docs/decisions/062-forces-in-fixed-point.md says, and with room above.
TEST(ForceUnits, FollowTheRootMeanSquare) {
    for (const double rms : {1e-20, 3e-12, 1.0, 40.0, 1e20}) {
        const auto unit = [&](int exponent) { return std::ldexp(1.0, exponent); };
        EXPECT_LE(unit(force_exponent_for<float>({rms, 0, 0})), std::ldexp(rms, -40));
        EXPECT_GT(unit(force_exponent_for<float>({rms, 0, 0})), std::ldexp(rms, -42));
        EXPECT_LE(unit(force_exponent_for<double>({rms, 0, 0})), std::ldexp(rms, -48));
        // With next to no forces, those that matter to velocities decide.
        EXPECT_EQ(force_exponent_for<float>({rms, rms * (1 << 20), 0}),
                  force_exponent_for<float>({0, rms * (1 << 20), 0}));
    }
    EXPECT_EQ(force_exponent_for<float>({0, 0, 7}), usual_force_exponent);
    EXPECT_EQ(force_exponent_for<float>({INFINITY, 0, -60}), 20);
    EXPECT_EQ(force_exponent_for<float>({1e-60, 0, 0}), ForceUnit::smallest_exponent);
}

}  // namespace
}  // namespace aureole::md::testing
