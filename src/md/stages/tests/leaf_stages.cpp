// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "md/simulation/tests/systems.hpp"
#include "md/stages/registry.hpp"

// Stages from leaf files in simulations, on every engine and device of this machine.
namespace aureole::md::testing {
namespace {

class LeafStage : public ::testing::TestWithParam<DeviceSpec> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, LeafStage, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return name_of(p.param); });

Start some() { return liquid({8, 8, 8}, 300, 0.9, 1.0, 5); }

/// Particles that do not feel each other.
std::unique_ptr<Simulation> ideal_gas(const DeviceSpec& device, const MotionSpec& motion) {
    auto spec = lennard_jones(2);
    for (std::size_t k = 0; k < spec.parameters.size(); k += 2) spec.parameters[k] = 0;
    return simulate(some(), spec, motion, device);
}

std::vector<std::uint8_t> even(std::size_t n) {
    std::vector<std::uint8_t> group(n);
    for (std::size_t i = 0; i < n; ++i) group[i] = i % 2 == 0 ? 1 : 0;
    return group;
}

TEST_P(LeafStage, DragSlowsDownItsGroupAtItsSteps) {
    const auto start = some().particles.velocity;
    const auto sim = ideal_gas(GetParam(), nve(0.01));
    sim->add_stage({"LinearDrag", {0.7}, 5, even(start.size())});
    sim->run(24, no_interruption);  // it acts at steps 5, 10, 15 and 20
    const auto now = phase(*sim).velocity;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const double factor = i % 2 == 0 ? std::exp(-0.7 * 0.01 * 20) : 1;
        const auto error = now[i] - factor * start[i];
        ASSERT_LT(std::sqrt(dot(error, error)), 1e-12) << "particle " << i;
    }
}

TEST_P(LeafStage, SpeedsStayBelowTheirLimit) {
    const auto start = some().particles.velocity;
    const auto sim = ideal_gas(GetParam(), nve(0.01));
    sim->add_stage({"SpeedLimit", {1.5}, 1, {}});
    sim->run(3, no_interruption);
    const auto now = phase(*sim).velocity;
    int cut = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const double before = std::sqrt(dot(start[i], start[i]));
        cut += before > 1.5 ? 1 : 0;
        ASSERT_NEAR(std::sqrt(dot(now[i], now[i])), std::min(before, 1.5), 1e-12);
    }
    EXPECT_GT(cut, 20);
}

std::vector<Vec3d> forces_by_tag(Simulation& sim) {
    const auto forces = sim.forces();  // which may bring the particles into another order
    return to_tag_order(forces, download_tags(sim.queue(), sim.particles()));
}

/// Two particles that overlap by far would leave the box in one step.
TEST_P(LeafStage, ALimitHoldsBeforeParticlesMove) {
    for (const auto precision : {Precision::mixed, Precision::full})
        for (const auto& motion : {nve(0.005), langevin(0.005, 1, 0.5), bussi(0.005, 1, 0.2, 1)}) {
            auto start = some();
            start.particles.position[0] = start.particles.position[1] + Vec3d{0.05, 0, 0};
            const auto sim = simulate(start, lennard_jones(2.5), motion, GetParam(), precision);
            sim->add_stage({"SpeedLimit", {2}, 1, {}});
            const auto noise = motion.thermostat == GlobalThermostat::langevin ? 3.0 : 0.0;
            for (int step = 0; step < 60; ++step) {
                const auto before = phase(*sim).position;
                sim->run(1, no_interruption);
                const auto now = phase(*sim);
                for (std::size_t i = 0; i < before.size(); ++i) {
                    const auto moved = now.position[i] - before[i];
                    ASSERT_LE(std::sqrt(dot(moved, moved)), (2 + noise) * 0.005 + 1e-12);
                    if (motion.thermostat != GlobalThermostat::bussi) {  // which acts afterwards
                        ASSERT_LE(std::sqrt(dot(now.velocity[i], now.velocity[i])), 2 + 1e-12);
                    }
                }
            }
            // Forces are those of the positions: none is left from a step before.
            const auto forces = forces_by_tag(*sim);
            sim->edited();
            const auto fresh = forces_by_tag(*sim);
            for (std::size_t i = 0; i < fresh.size(); ++i) {
                const auto error = forces[i] - fresh[i];
                ASSERT_LT(std::sqrt(dot(error, error)),
                          1e-4 * (1 + std::sqrt(dot(fresh[i], fresh[i]))));
            }
        }
}

TEST_P(LeafStage, CollisionsMakeTheTemperature) {
    const auto sim = ideal_gas(GetParam(), nve(0.01));
    sim->add_stage({"Andersen", {2.5, 1}, 10, {}});
    sim->run(1000, no_interruption);  // every particle has collided but exp(-10) of them
    // 900 normal numbers: the mean of their squares is within 5 standard deviations.
    EXPECT_NEAR(sim->thermo().temperature, 2.5, 2.5 * 5 * std::sqrt(2.0 / 900));
    EXPECT_EQ(sim->thermo().dof, 900);
    const auto other = ideal_gas(host(2), nve(0.01));
    other->add_stage({"Andersen", {2.5, 1}, 10, {}});
    other->run(1000, no_interruption);
    EXPECT_EQ(phase(*other).velocity, phase(*sim).velocity);  // on whatever engine
}

TEST_P(LeafStage, APlateMovesThroughALiquidThatFeelsIt) {
    for (const auto precision : {Precision::mixed, Precision::full}) {
        auto start = some();
        const auto n = start.particles.position.size();
        std::vector<std::uint8_t> free(n), plate(n);
        for (std::size_t i = 0; i < n; ++i)
            plate[i] = std::abs(start.particles.position[i].z) < 1 ? 1 : 0, free[i] = 1 - plate[i];
        auto sim = simulate(start, lennard_jones(2.5), nve(0.005), GetParam(), precision);
        sim->set_motion(nve(0.005), free);
        sim->add_stage({"SteadyMotion", {2, 0, -0.5}, 1, plate});
        sim->run(100, no_interruption);
        const auto now = phase(*sim).position;
        for (std::size_t i = 0; i < n; ++i) {
            if (plate[i] == 0) continue;
            const auto error = now[i] - start.particles.position[i] - Vec3d{1, 0, -0.25};
            ASSERT_LT(std::sqrt(dot(error, error)), 1e-12) << "particle " << i;
        }
        // Forces of a list that followed the plate are those of a fresh one.
        const auto forces = forces_by_tag(*sim);
        sim->edited();
        const auto fresh = forces_by_tag(*sim);
        double largest = 0;
        for (const auto& f : fresh) largest = std::max(largest, std::sqrt(dot(f, f)));
        for (std::size_t i = 0; i < n; ++i) {
            const auto error = forces[i] - fresh[i];
            ASSERT_LT(std::sqrt(dot(error, error)),
                      (precision == Precision::mixed ? 1e-4 : 1e-10) * largest);
        }
    }
}

/// A simulation with all stages, and with forces, so that segments are made again.
std::unique_ptr<Simulation> with_all(const DeviceSpec& device, Precision precision,
                                     const MotionSpec& motion) {
    const auto start = some();
    auto sim = simulate(start, lennard_jones(2.5), motion, device, precision);
    sim->add_stage({"LinearDrag", {0.1}, 3, even(start.particles.position.size())});
    sim->add_stage({"Andersen", {1.2, 0.5}, 2, {}});
    sim->add_stage({"SpeedLimit", {4}, 1, {}});
    sim->add_stage({"SteadyMotion", {0.5, 0, 0}, 1, even(start.particles.position.size())});
    return sim;
}

TEST_P(LeafStage, ARestartGoesOnToTheBit) {
    for (const auto precision : {Precision::mixed, Precision::full})
        for (const auto& motion : {nve(0.004), langevin(0.004, 1, 0.5), bussi(0.004, 1, 0.2, 7)}) {
            const auto file = scratch_file("stages_" + name_of(GetParam()));
            const auto sim = with_all(GetParam(), precision, motion);
            sim->run(37, no_interruption);
            sim->write_checkpoint(file, "");
            sim->run(31, no_interruption);
            std::string extra;
            const auto other = Simulation::read_checkpoint(file, GetParam(), extra);
            other->run(31, no_interruption);
            EXPECT_EQ(phase(*other), phase(*sim));
        }
}

TEST_P(LeafStage, TheStepsTellAboutIt) {
    const auto sim = with_all(GetParam(), Precision::mixed, nve(0.004));
    const auto words = sim->describe();
    const auto at = [&](const char* text) {
        const auto found = words.find(text);
        EXPECT_NE(found, std::string::npos) << text << " is missing in\n" << words;
        return found;
    };
    EXPECT_LT(at("drift"), at("SteadyMotion            r <- r + u t\n"));
    EXPECT_LT(at("SteadyMotion"), at("forces "));
    EXPECT_LT(at("forces "), at("LinearDrag              v <- exp(-gamma t) v, every 3 steps\n"));
    EXPECT_LT(at("LinearDrag"), at("Andersen"));
    EXPECT_NE(words.find("Forces: LennardJones.\n"), std::string::npos) << words;
}

TEST_P(LeafStage, WhatMakesNoStageIsRefused) {
    const auto sim = ideal_gas(GetParam(), nve(0.01));
    EXPECT_THROW(sim->add_stage({"Drag", {1}, 1, {}}), core::InputError);
    EXPECT_THROW(sim->add_stage({"LinearDrag", {-1}, 1, {}}), core::InputError);
    EXPECT_THROW(sim->add_stage({"LinearDrag", {1}, 0, {}}), core::InputError);
    EXPECT_THROW(sim->add_stage({"LinearDrag", {1}, 1, {1, 0}}), core::InputError);
    sim->add_stage({"SteadyMotion", {1, 0, 0}, 1, {}});
    sim->set_list({.exact = false});
    EXPECT_THROW(sim->run(1, no_interruption), core::InputError);
}

TEST_P(LeafStage, MinimisationIsNoMotionInTime) {
    const auto sim = simulate(some(), lennard_jones(2.5), nve(0.004), GetParam());
    const auto with = with_all(GetParam(), Precision::mixed, nve(0.004));
    const FireSpec few{1e-6, 30, 0.002};
    sim->minimize(few, no_interruption), with->minimize(few, no_interruption);
    EXPECT_EQ(phase(*with), phase(*sim));
    EXPECT_EQ(with->system().stages.size(), 4u);
}

}  // namespace
}  // namespace aureole::md::testing
