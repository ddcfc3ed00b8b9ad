// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "md/domain/tests/outcome.hpp"

// Bonded terms of any length on several ranks: those whose members no rank has together are
// computed with particles from anywhere, and give the energies, forces and steps of one rank.
namespace aureole::md::testing {
namespace {

/// Terms over particles anywhere in the box.
struct FarTerms {
    const char* name;
    std::function<void(Simulation&, const Start&)> add;
};

std::unique_ptr<Simulation> make(const FarTerms& terms, const Start& start, Precision precision,
                                 comm::World* world) {
    DeviceSpec device;
    device.threads = 1, device.pin = false;
    auto sim = std::make_unique<Simulation>(device, precision, start.box, start.particles,
                                            start.n_types, 11, world);
    sim->add_pair(lennard_jones(2.5, EnergyMode::shift, start.n_types));
    terms.add(*sim, start);
    sim->set_motion(nve(0.002), {});
    return sim;
}

Outcome on(int ranks, const FarTerms& terms, const Start& start, Precision precision,
           std::int64_t steps) {
    return run_on(
        ranks, [&](comm::World* world) { return make(terms, start, precision, world); }, steps);
}

Start melt() { return fcc(8, 0.8, 0.08, 1.3, 5, 2); }
/// Four ranks cut it along z.
Start rod() { return liquid({7, 7, 28}, 900, 0.9, 1.2, 4); }

/// A random number of a repeatable sequence below n.
struct Draw {
    std::mt19937_64 engine{17};
    Tag operator()(std::size_t n) {
        return std::uniform_int_distribution<Tag>(0, static_cast<Tag>(n) - 1)(engine);
    }
};

std::vector<Tag> drawn(const Start& start, int terms, int each) {
    Draw draw;
    std::vector<Tag> tags;
    const auto n = start.particles.position.size();
    while (std::ssize(tags) < terms * each) {
        std::vector<Tag> members;
        while (std::ssize(members) < each)
            if (const auto tag = draw(n); std::ranges::find(members, tag) == members.end())
                members.push_back(tag);
        tags.insert(tags.end(), members.begin(), members.end());
    }
    return tags;
}

/// As many as pairs of particles that one bond in four would join within a halo.
void far_bonds(Simulation& sim, const Start& start) {
    sim.add_bonded("harmonic_bond", drawn(start, 150, 2), std::vector<std::int32_t>(150, 0),
                   {4.0, 0.3});
}

/// Angles and dihedrals as well, beside bonds between neighbours, which no link is needed for.
void far_angles(Simulation& sim, const Start& start) {
    sim.add_bonded("harmonic_angle", drawn(start, 120, 3), std::vector<std::int32_t>(120, 0),
                   {1.9, 2.0});
    sim.add_bonded("periodic_dihedral", drawn(start, 90, 4), std::vector<std::int32_t>(90, 0),
                   {2.0, 0.4, 3.0});
    std::vector<Tag> near;
    const auto& r = start.particles.position;
    for (std::size_t i = 0; i < r.size(); i += 7)
        for (std::size_t j = 0; j < r.size(); ++j) {
            const auto d = start.box.minimum_image(r[i] - r[j]);
            if (i == j || dot(d, d) > 1.5) continue;
            near.insert(near.end(), {static_cast<Tag>(i), static_cast<Tag>(j)});
            break;
        }
    const auto n = near.size() / 2;
    sim.add_bonded("harmonic_bond", std::move(near), std::vector<std::int32_t>(n, 0), {1.1, 50.0});
}

/// A ring of particles that are spread along the longest axis, with bonds as long as cells.
void long_ring(Simulation& sim, const Start& start) {
    std::vector<Tag> beads;
    const auto& r = start.particles.position;
    for (double z = -0.5 * start.box.lz + 0.5; z < 0.5 * start.box.lz; z += 6.5) {
        const auto at =
            std::ranges::min_element(r, {}, [&](const Vec3d& one) { return std::abs(one.z - z); });
        beads.push_back(static_cast<Tag>(at - r.begin()));
    }
    std::vector<Tag> bonds;
    for (std::size_t k = 0; k < beads.size(); ++k)
        bonds.insert(bonds.end(), {beads[k], beads[(k + 1) % beads.size()]});
    sim.add_bonded("harmonic_bond", std::move(bonds), std::vector<std::int32_t>(beads.size(), 0),
                   {5.0, 20.0});
}

struct Case {
    FarTerms terms;
    Start (*start)();
    int ranks;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.terms.name << " on " << c.ranks; }

class RankLinks : public ::testing::TestWithParam<Case> {};

TEST_P(RankLinks, GiveTheStepsOfOneRank) {
    const auto& given = GetParam();
    const auto start = given.start();
    const std::int64_t steps = testing::steps(200);
    const auto one = on(1, given.terms, start, Precision::full, steps);
    const auto many = on(given.ranks, given.terms, start, Precision::full, steps);
    expect_same_start(many, one, 1e-12);
    EXPECT_NEAR(many.end.potential, one.end.potential, 1e-8 * std::abs(one.end.potential));
    EXPECT_LT(rms_difference(many.velocity, one.velocity), 1e-7 * rms(one.velocity));
}

TEST_P(RankLinks, GiveTheForcesOfOneRankInMixedPrecision) {
    const auto& given = GetParam();
    const auto start = given.start();
    const auto one = on(1, given.terms, start, Precision::mixed, 0);
    expect_same_start(on(given.ranks, given.terms, start, Precision::mixed, 0), one, 5e-6);
}

TEST_P(RankLinks, RepeatToTheBit) {
    const std::int64_t steps = core::sanitized ? 20 : 40;
    const auto& given = GetParam();
    const auto start = given.start();
    const auto first = on(given.ranks, given.terms, start, Precision::mixed, steps);
    const auto again = on(given.ranks, given.terms, start, Precision::mixed, steps);
    EXPECT_EQ(first.position, again.position);
    EXPECT_EQ(first.velocity, again.velocity);
}

std::vector<Case> cases() {
    const FarTerms bonds{"far_bonds", far_bonds}, angles{"far_angles", far_angles},
        ring{"long_ring", long_ring};
    return {{bonds, melt, 2},  {bonds, melt, 3},  {bonds, melt, 8}, {angles, melt, 2},
            {angles, melt, 4}, {angles, melt, 8}, {ring, rod, 2},   {ring, rod, 4}};
}

INSTANTIATE_TEST_SUITE_P(Far, RankLinks, ::testing::ValuesIn(cases()), [](const auto& of) {
    return std::string(of.param.terms.name) + "_on_" + std::to_string(of.param.ranks);
});

}  // namespace
}  // namespace aureole::md::testing
