// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "device/emulated/fibers.hpp"
#include "md/simulation/tests/water_systems.hpp"

// Teams have at most 32 lanes, so sums have one tree: steps have the same bits in waves of 32 lanes
// and of 64.
namespace aureole::md::testing {
namespace {

const DeviceSpec gpu{{.name = "gpu:0"}};

const DeviceSpec gpu_tiles{{.name = "gpu:0"}, "tiles"};

std::unique_ptr<Simulation> melt(const DeviceSpec& device = gpu) {
    return simulate(fcc(4, 0.8, 0.05, 2, 5, 2), lennard_jones(2.5, EnergyMode::shift, 2),
                    langevin(0.004, 1.2, 1), device);
}

std::unique_ptr<Simulation> water(Coulomb coulomb, const DeviceSpec& device = gpu) {
    auto sim = resting_water(device, coulomb);
    sim->set_motion(motion(Scheme::leap_frog, 0.001), {});
    sim->constrain_start();
    return sim;
}

void expect_the_same_bits(const std::function<std::unique_ptr<Simulation>()>& make,
                          int steps = 200) {
    const unsigned usual = device::emulated::wavefront();
    Phase found[2];
    for (const int k : {0, 1}) {
        device::emulated::set_wavefront(k == 0 ? 32 : 64);
        const auto sim = make();
        sim->run(steps, no_interruption);
        found[k] = phase(*sim);
    }
    device::emulated::set_wavefront(usual);
    EXPECT_EQ(found[0], found[1]);
}

TEST(Wavefronts, OfBothKindsHaveTheSameMelt) {
    expect_the_same_bits([] { return melt(); });
    expect_the_same_bits([] { return melt(gpu_tiles); }, 50);
}

TEST(Wavefronts, OfBothKindsHaveTheSameRigidWater) {
    expect_the_same_bits([] { return water(Coulomb::reaction_field); });
}

TEST(Wavefronts, OfBothKindsHaveTheSameMesh) {
    expect_the_same_bits([] { return water(Coulomb::ewald); }, 50);
}

TEST(Wavefronts, OfBothKindsHaveTheSameTilesOfWater) {
    expect_the_same_bits([] { return water(Coulomb::ewald, gpu_tiles); }, 20);
}

/// Tiles and full lists of neighbours have the same forces.
TEST(EmulatedTiles, GoAlongWithFlatLists) {
    for (const auto coulomb : {Coulomb::ewald, Coulomb::reaction_field}) {
        const auto tiles = water(coulomb, gpu_tiles), flat = water(coulomb);
        EXPECT_NEAR(tiles->thermo().potential, flat->thermo().potential, 0.02);
        EXPECT_NEAR(tiles->thermo().pressure, flat->thermo().pressure, 0.02);
        tiles->run(20, no_interruption), flat->run(20, no_interruption);
        EXPECT_NEAR(tiles->thermo().potential, flat->thermo().potential, 0.05);
    }
}

/// With bonded terms and a mesh on a queue beside the pairs.
TEST(EmulatedGraphs, GiveTheBitsOfPlainLaunches) {
    Phase found[2];
    for (const int k : {0, 1}) {
        auto sim = three_site_water(gpu, Coulomb::ewald);
        sim->add_bonded("harmonic_bond", {0, 3, 6, 9}, {0, 0}, {0.3, 100});
        sim->set_motion(motion(Scheme::leap_frog, 0.001), {});
        sim->use_graphs(k == 0 ? Graphs::on_devices : Graphs::never);
        sim->constrain_start();
        sim->run(40, no_interruption);
        EXPECT_EQ(sim->take_remark(), "");
        found[k] = phase(*sim);
    }
    EXPECT_TRUE(found[0] == found[1]);
}

}  // namespace
}  // namespace aureole::md::testing
