// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>

#include "md/domain/tests/outcome.hpp"
#include "md/simulation/tests/molecules_systems.hpp"

// Virtual sites that are made from particles anywhere in the box, and from such sites, on ranks
// that do not own them: they, and the forces that they pass on, are those of one rank.
namespace aureole::md::testing {
namespace {

/// A liquid, behind which sites come that pairs do not see; bonds hold them to particles.
struct Sites {
    Start start;
    SiteSpec spec;
    TermSpec bonds{"harmonic_bond", {}, {}, {2.0, 3.0}};
    std::mt19937_64 engine{23};
    std::size_t liquid_size;

    Sites() : start(fcc(8, 0.7, 0.06, 1.2, 9)) {
        auto& p = start.particles;
        liquid_size = p.position.size();
        start.n_types = 2;
        spec.vsite2.parameters = {0.3};
        spec.vsite3.parameters = {0.2, 0.3};
        spec.vsite3out.parameters = {0.2, 0.3, 0.05};
        std::vector<Tag> made;
        for (int k = 0; k < 12; ++k) {
            made.push_back(add(spec.vsite2, drawn(2)));
            add(spec.vsite3, drawn(3));
            add(spec.vsite3out, drawn(3));
        }
        // Of two sites, and of one of those and a particle.
        for (std::size_t k = 0; k + 1 < made.size(); k += 2) {
            const auto of_sites = add(spec.vsite2, {made[k], made[k + 1]});
            add(spec.vsite2, {of_sites, drawn(1)[0]});
        }
        add_means();
        // All four with parents nearby: one rank mostly has them.
        for (Tag near = 40; near < 400; near += 37) add(spec.vsite2, {near, near + 1});
        spec.n = static_cast<std::int64_t>(p.position.size());
    }

    std::vector<Tag> drawn(std::size_t n) {
        std::vector<Tag> tags;
        std::uniform_int_distribution<Tag> any(0, static_cast<Tag>(liquid_size) - 1);
        while (tags.size() < n)
            if (const auto tag = any(engine); std::ranges::find(tags, tag) == tags.end())
                tags.push_back(tag);
        return tags;
    }
    Tag new_site() {
        auto& p = start.particles;
        const auto tag = static_cast<Tag>(p.position.size());
        p.position.push_back({}), p.velocity.push_back({}), p.image.push_back({});
        p.mass.push_back(0), p.type.push_back(1);
        bonds.particles.insert(bonds.particles.end(), {tag, drawn(1)[0]});
        bonds.row.push_back(0);
        return tag;
    }
    Tag add(TermColumns& to, const std::vector<Tag>& parents) {
        const auto tag = new_site();
        to.particles.push_back(tag);
        to.particles.insert(to.particles.end(), parents.begin(), parents.end());
        to.row.push_back(0);
        return tag;
    }
    void add_means() {
        spec.vsiten.parameters = {0.05};
        for (int k = 0; k < 5; ++k) {
            const auto tag = new_site();
            for (const auto parent : drawn(20)) {
                spec.vsiten.particles.insert(spec.vsiten.particles.end(), {tag, parent});
                spec.vsiten.row.push_back(0);
            }
        }
    }
};

std::unique_ptr<Simulation> make(const Sites& sites, Scheme scheme, Precision precision,
                                 comm::World* world) {
    DeviceSpec device;
    device.threads = 1, device.pin = false;
    auto sim = std::make_unique<Simulation>(device, precision, sites.start.box,
                                            sites.start.particles, 2, 7, world);
    auto pairs = lennard_jones(2.5, EnergyMode::force_shift, 2);
    for (std::size_t pair = 1; pair < 4; ++pair) pairs.parameters[2 * pair] = 0;  // ε of sites
    sim->add_pair(pairs);
    sim->set_sites(sites.spec);
    sim->add_bonded(sites.bonds.name, sites.bonds.particles, sites.bonds.row,
                    sites.bonds.parameters);
    sim->set_motion(motion(scheme, 0.002), {});
    sim->constrain_start();
    return sim;
}

struct Case {
    Scheme scheme;
    int ranks;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.ranks << " ranks"; }

class RankSites : public ::testing::TestWithParam<Case> {
  protected:
    Outcome on(int ranks, Precision precision, std::int64_t steps) {
        const Sites sites;
        return run_on(
            ranks,
            [&](comm::World* world) { return make(sites, GetParam().scheme, precision, world); },
            steps);
    }
};

TEST_P(RankSites, MoveAsOnOneRank) {
    const auto one = on(1, Precision::full, steps(200));
    const auto many = on(GetParam().ranks, Precision::full, steps(200));
    expect_same_start(many, one, 1e-12);
    EXPECT_NEAR(many.start.pressure, one.start.pressure, 1e-11 * std::abs(one.start.pressure));
    EXPECT_NEAR(many.end.potential, one.end.potential, 1e-8 * std::abs(one.end.potential));
    EXPECT_NEAR(many.end.pressure, one.end.pressure, 1e-7 * std::abs(one.end.pressure));
    EXPECT_LT(rms_difference(many.velocity, one.velocity), 1e-7 * rms(one.velocity));
    const auto apart = many.box.minimum_image(many.position.back() - one.position.back());
    EXPECT_LT(std::sqrt(dot(apart, apart)), 1e-7);
}

TEST_P(RankSites, HaveTheForcesOfOneRankInMixedPrecision) {
    expect_same_start(on(GetParam().ranks, Precision::mixed, 0), on(1, Precision::mixed, 0), 5e-6);
}

INSTANTIATE_TEST_SUITE_P(Grids, RankSites,
                         ::testing::Values(Case{Scheme::leap_frog, 2}, Case{Scheme::verlet, 3},
                                           Case{Scheme::leap_frog, 8}),
                         [](const auto& of) { return std::to_string(of.param.ranks); });

}  // namespace
}  // namespace aureole::md::testing
