// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "md/simulation/tests/systems.hpp"

// Mesh and pair forces have one splitting and one constant of Coulomb's law: those of the latter.
namespace aureole::md::testing {
namespace {

NonbondedSpec split_charges(Coulomb coulomb) {
    NonbondedSpec spec;
    spec.n_types = 1, spec.c6 = {1e-3}, spec.c12 = {1e-6};
    spec.r_vdw = spec.r_coulomb = 1.2, spec.coulomb = coulomb, spec.beta = 2.6;
    spec.coulomb_constant = 138.9, spec.epsilon_r = 4;
    return spec;
}

std::unique_ptr<Simulation> charged(Coulomb coulomb) {
    auto start = liquid({4, 4.2, 4.4}, 100, 0.4);
    for (std::size_t i = 0; i < 100; ++i) start.particles.charge.push_back(i % 2 == 0 ? 0.5 : -0.5);
    auto sim =
        std::make_unique<Simulation>(DeviceSpec{{.name = "host", .threads = 1, .pin = false}},
                                     Precision::full, start.box, start.particles, 1, 3);
    sim->set_mesh({.grid = {40, 40, 44}, .order = 6});  // before or after, it does not matter
    sim->set_nonbonded(split_charges(coulomb));
    sim->set_motion(nve(0.001), {});
    return sim;
}

TEST(MeshOfCharges, HasSplittingAndConstantOfThePairForces) {
    const auto sim = charged(Coulomb::ewald);
    const auto spec = sim->system().pme();
    EXPECT_EQ(spec.beta, 2.6);
    EXPECT_EQ(spec.coulomb, 138.9 / 4);
    EXPECT_EQ(spec.order, 6);
    EXPECT_EQ(spec.grid.z, 44);
}

/// Ewald's sum does not depend on where it is split, if both parts know of it.
TEST(MeshOfCharges, FollowsThePairForces) {
    const auto sim = charged(Coulomb::ewald);
    const double before = sim->thermo().potential;
    auto spec = split_charges(Coulomb::ewald);
    spec.beta = 2.8, spec.shift_coulomb = false;
    sim->set_nonbonded(spec);
    const double unshifted = sim->thermo().potential;
    spec.beta = 3.0;
    sim->set_nonbonded(spec);
    EXPECT_NEAR(sim->thermo().potential, unshifted, 2e-3 * std::abs(unshifted));
    EXPECT_TRUE(std::isfinite(before));
}

TEST(MeshOfCharges, RefusesAMeshBesideAReactionField) {
    const auto sim = charged(Coulomb::reaction_field);
    EXPECT_THROW(sim->forces(), core::InputError);
}

}  // namespace
}  // namespace aureole::md::testing
