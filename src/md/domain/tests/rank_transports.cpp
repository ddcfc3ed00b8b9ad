// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "comm/tests/variable.hpp"
#include "md/domain/tests/outcome.hpp"

// Ranks that send each other messages make the steps of ranks that share memory, to the bit.
namespace aureole::md::testing {
namespace {

/// Bonds between particles anywhere, so that some come by links.
void add_bonds(Simulation& sim, std::size_t particles) {
    constexpr int bonds = 120;
    std::mt19937 random(17);
    std::vector<Tag> tags;
    for (int k = 0; k < bonds; ++k) {
        const auto first = static_cast<Tag>(random() % (particles - 1));
        tags.insert(tags.end(), {first, first + 1});
    }
    sim.add_bonded("harmonic_bond", std::move(tags), std::vector<std::int32_t>(bonds, 0),
                   {4.0, 0.3});
}

struct Case {
    int ranks;
    const char* algorithm;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.algorithm << " on " << c.ranks; }

class RankTransports : public ::testing::TestWithParam<Case> {};

Outcome outcome(const Case& given) {
    const auto start = fcc(9, 0.8, 0.08, 1.3, 5, 2);
    const auto make = [&](comm::World* world) {
        DeviceSpec device;
        device.threads = 1, device.pin = false, device.algorithm = given.algorithm;
        auto sim = std::make_unique<Simulation>(device, Precision::mixed, start.box,
                                                start.particles, start.n_types, 11, world);
        sim->add_pair(lennard_jones(2.5, EnergyMode::shift, start.n_types));
        if (given.algorithm == std::string("clusters"))
            add_bonds(*sim, start.particles.position.size());
        sim->set_motion(bussi(0.004, 1.2, 0.2, 5), {});
        return sim;
    };
    return run_on(given.ranks, make, testing::steps(60));
}

TEST_P(RankTransports, GiveTheSameBits) {
    const auto shared = outcome(GetParam());
    const comm::testing::Variable messages("AUREOLE_TRANSPORT", "messages");
    const auto apart = outcome(GetParam());
    EXPECT_EQ(apart.start.potential, shared.start.potential);
    EXPECT_EQ(apart.start.pressure, shared.start.pressure);
    EXPECT_EQ(apart.force, shared.force);
    EXPECT_EQ(apart.end.potential, shared.end.potential);
    EXPECT_EQ(apart.end.kinetic, shared.end.kinetic);
    EXPECT_EQ(apart.position, shared.position);
    EXPECT_EQ(apart.velocity, shared.velocity);
}

INSTANTIATE_TEST_SUITE_P(Ranks, RankTransports,
                         ::testing::Values(Case{2, "clusters"}, Case{3, "clusters"},
                                           Case{8, "clusters"}, Case{3, "lanes"}),
                         [](const auto& of) {
                             return of.param.algorithm + std::to_string(of.param.ranks);
                         });

}  // namespace
}  // namespace aureole::md::testing
