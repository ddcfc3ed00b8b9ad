// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "device/config.hpp"
#include "md/simulation/tests/systems.hpp"

// Flat lists in a simulation: chosen by device or by name, and through checkpoints.
namespace aureole::md::testing {
namespace {

DeviceSpec flat_lists() {
    auto spec = host(hostile_environment() ? 1 : 2);  // teams of threads are slow
    spec.algorithm = "lanes";
    return spec;
}

std::unique_ptr<Simulation> melt(const DeviceSpec& device,
                                 GlobalThermostat thermostat = GlobalThermostat::none) {
    auto motion = langevin(0.004, 1, 1);
    motion.thermostat = thermostat, motion.tau = 0.5;
    return simulate(fcc(5, 0.85, 0.05, 1.2), lennard_jones(2.5, EnergyMode::xplor), motion, device);
}

double largest_difference(const Phase& a, const Phase& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.position.size(); ++i) {
        const auto d = a.position[i] - b.position[i];
        most = std::max(most, std::sqrt(dot(d, d)));
    }
    return most;
}

TEST(FlatSimulation, IsChosenByNameOrDevice) {
    EXPECT_FALSE(uses_flat_lists(host(1)));
    EXPECT_TRUE(uses_flat_lists(flat_lists()));
    EXPECT_TRUE(uses_flat_lists({{.name = "host-lanes"}}));
    EXPECT_TRUE(uses_flat_lists({{.name = "gpu:0"}}));
    DeviceSpec wrong{{.name = "gpu:0"}};
    wrong.algorithm = "clusters";
    EXPECT_THROW(uses_flat_lists(wrong), core::DeviceError);
    wrong = host(1);
    wrong.algorithm = "magic";
    EXPECT_THROW(uses_flat_lists(wrong), core::InputError);
    EXPECT_THROW(melt({{.name = "gpu:x"}}), core::DeviceError);
}

TEST(FlatSimulation, GoesAlongWithClusters) {
    for (const GlobalThermostat thermostat :
         {GlobalThermostat::none, GlobalThermostat::langevin, GlobalThermostat::bussi}) {
        const auto a = melt(host(1), thermostat), b = melt(flat_lists(), thermostat);
        a->run(60, no_interruption), b->run(60, no_interruption);
        EXPECT_LT(largest_difference(phase(*a), phase(*b)), 2e-4);
        EXPECT_NEAR(a->thermo().potential, b->thermo().potential, 0.05);
    }
}

/// Kernels of a queue are in order: an event in each step would be a call of the runtime for
/// nothing (docs/theory/launches.md).
TEST(FlatSimulation, StepsRecordNoEvents) {
    for (const DeviceSpec& spec : everywhere()) {
        const bool emulated = device::gpu_vendor == "emulated" && device::gpu_index(spec.name) >= 0;
        const auto sim = melt(spec, GlobalThermostat::bussi);
        sim->run(emulated ? 50 : steps(1000), no_interruption);
        EXPECT_EQ(sim->queue().counts().events, 0) << name_of(spec);
        EXPECT_GT(sim->queue().counts().launches, 0) << name_of(spec);
    }
}

TEST(FlatSimulation, AToleranceListKeepsItsLifetime) {
    const auto sim = melt(flat_lists());
    ListSpec list;
    list.exact = false;
    sim->set_list(list);
    sim->run(100, no_interruption);
    EXPECT_EQ(sim->statistics().early_prunings, 0);
    EXPECT_GE(sim->statistics().searches, 2);
}

TEST(FlatSimulation, RestartsFromFilesBitByBit) {
    const auto path = scratch_file("lanes");
    const auto sim = melt(flat_lists(), GlobalThermostat::bussi);
    sim->run(47, no_interruption);
    sim->write_checkpoint(path, "more");
    std::string extra;
    const auto again = Simulation::read_checkpoint(path, host(flat_lists().threads), extra);
    EXPECT_EQ(extra, "more");
    EXPECT_TRUE(
        uses_flat_lists(again->device_spec()));  // as before, since nothing else was asked for
    sim->run(60, no_interruption), again->run(60, no_interruption);
    EXPECT_EQ(phase(*sim), phase(*again));
}

TEST(FlatSimulation, ACheckpointMayChangeTheAlgorithm) {
    const auto path = scratch_file("other");
    auto other = flat_lists();
    other.algorithm = "auto", other.name = "host-lanes";
    for (const bool to_flat : {true, false}) {
        const auto sim = melt(to_flat ? host(2) : other);
        sim->run(40, no_interruption);
        sim->write_checkpoint(path, "");
        std::string extra;
        const auto second =
            Simulation::read_checkpoint(path, to_flat ? flat_lists() : host(2), extra);
        EXPECT_EQ(uses_flat_lists(second->device_spec()), to_flat);
        EXPECT_EQ(second->system().step, 40);
        sim->run(20, no_interruption), second->run(20, no_interruption);
        EXPECT_LT(largest_difference(phase(*sim), phase(*second)), 1e-4);
    }
}

}  // namespace
}  // namespace aureole::md::testing
