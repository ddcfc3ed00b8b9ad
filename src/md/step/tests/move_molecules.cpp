// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "md/simulation/tests/molecules_systems.hpp"
#include "md/simulation/tests/rigid_systems.hpp"

// A step's move in one launch, beside the launches that it replaces.
namespace aureole::md::testing {
namespace {

struct Contents {
    const char* name;
    bool coupled;  ///< a molecule with coupled constraints
    int waters;    ///< kinds of rigid water
    bool barostat;
    Scheme scheme;
};
void PrintTo(const Contents& c, std::ostream* out) { *out << c.name; }

/// Some of each shape, with springs between them.
std::unique_ptr<Simulation> soft_molecules(const Contents& with, bool fuse) {
    Rigid rigid;
    rigid.box = {5, 5, 6, 0.1, -0.1, 0.2};
    for (int k = 0; k < 11; ++k) {
        for (int kind = 0; kind < with.waters; ++kind) rigid.water(0.1 + 0.005 * kind);
        for (int n = 1; n <= 4; ++n) rigid.star(n);
        rigid.triangle(), rigid.tetrahedron();
        for (int n = 0; n < 5; ++n) rigid.atom(rigid.anywhere(), rigid.uniform(1, 20));
    }
    if (with.coupled) rigid.tree(60, 4);
    Start start;
    start.box = rigid.box;
    start.particles.position = rigid.position;
    complete(start, 0, 1, 1);
    auto& p = start.particles;
    p.mass = rigid.spec.mass;
    for (std::size_t i = 0; i < p.mass.size(); ++i)
        p.velocity[i] = rigid.normal(1.5 / std::sqrt(p.mass[i]));
    DeviceSpec device{{.name = "host-lanes", .threads = 2, .pin = false}};
    if (hostile_environment()) device.threads = 1;
    auto sim = std::make_unique<Simulation>(device, Precision::mixed, start.box, p, 1, 7);
    PairForceSpec force = lennard_jones(1.4);
    force.parameters = {0, 1};  // lists all the same
    sim->add_pair(force);
    std::vector<Tag> bonds;
    for (Tag a = 0; a + 5 < static_cast<Tag>(p.mass.size()); a += 3)
        bonds.push_back(a), bonds.push_back(a + 5);
    sim->add_bonded("harmonic_bond", bonds, std::vector<std::int32_t>(bonds.size() / 2), {1.5, 20});
    ConstraintSpec spec = rigid.spec;
    spec.iterations = 2;
    sim->set_constraints(spec);
    sim->set_motion(motion(with.scheme, 0.001, true), {});
    couple_all(*sim, 2.5, 0.1);
    if (with.barostat) {
        auto coupling = sim->system().coupling;
        coupling.barostat.kind = Barostat::c_rescale, coupling.barostat.every = 10;
        coupling.barostat.tau = 1, coupling.barostat.pressure = {1, 1, 1, 0, 0, 0};
        coupling.barostat.compressibility = {0.01, 0.01, 0.01, 0, 0, 0};
        coupling.thermostat = Thermostat::bussi;
        sim->set_coupling(coupling, std::vector<std::uint8_t>(p.mass.size(), 0));
    }
    sim->fuse_stages(fuse);
    sim->constrain_start();
    return sim;
}

class MovedMolecules : public ::testing::TestWithParam<Contents> {};
INSTANTIATE_TEST_SUITE_P(
    All, MovedMolecules,
    ::testing::Values(Contents{"leap_frog", false, 1, false, Scheme::leap_frog},
                      Contents{"two_waters", false, 2, false, Scheme::leap_frog},
                      Contents{"coupled", true, 1, false, Scheme::leap_frog},
                      Contents{"barostat", false, 2, true, Scheme::leap_frog},
                      Contents{"verlet", true, 2, true, Scheme::verlet},
                      Contents{"stochastic", false, 1, false, Scheme::stochastic}),
    [](const auto& p) { return std::string(p.param.name); });

TEST_P(MovedMolecules, GoWhereSeparateLaunchesTakeThem) {
    const auto& with = GetParam();
    const auto one = soft_molecules(with, true), apart = soft_molecules(with, false);
    const auto launches = [](Simulation& sim) {
        const auto before = sim.queue().counts().launches;
        sim.run(steps(60), no_interruption);
        return sim.queue().counts().launches - before;
    };
    const auto of_one = launches(*one), of_apart = launches(*apart);
    // Kick with drift, water, six shapes, store, count: all but one of ten or eleven launches.
    const int saved = with.coupled || with.barostat ? 7 : 9;
    if (steps(60) == 60) EXPECT_LE(of_one + saved * 48, of_apart);
    EXPECT_TRUE(phase(*one) == phase(*apart));
    EXPECT_EQ(one->system().step, steps(60));
}

/// Kinds of water that it has no room for.
TEST(MovedMolecules, OfManyKindsAreMovedApart) {
    const Contents many{"", false, MoleculeSlots::most_waters + 1, false, Scheme::leap_frog};
    const auto one = soft_molecules(many, true), apart = soft_molecules(many, false);
    one->run(5, no_interruption), apart->run(5, no_interruption);
    EXPECT_TRUE(phase(*one) == phase(*apart));
}

}  // namespace
}  // namespace aureole::md::testing
