// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>

#include "md/domain/tests/outcome.hpp"
#include "md/simulation/tests/molecules_systems.hpp"

// Chains all of whose bonds are constrained, which cross several ranks: they move as on one rank.
namespace aureole::md::testing {
namespace {

/// Chains of beads through the whole box, with light particles at every third bead, in a liquid.
struct Chains {
    Start start;
    ConstraintSpec spec;
    std::vector<double> mass;

    Chains() {
        start.box = {14, 14, 14};
        // The last one goes twice around the box.
        chain(17, {4, -3, -6.6}, {0, 0, 0.8}, {0.3, 0, 0}, {0, 1, 0});
        chain(17, {-6.6, 3, 3.5}, {0.8, 0, 0}, {0, 0.3, 0}, {0, 0, 1});
        chain(34, {-2, -6.8, 0}, {0.07, 0.8, 0.03}, {0.3, 0, 0}, {0, 0, -1});
        chain(9, {-4.5, 5, -5.5}, {0.8, 0, 0}, {0, 0.3, 0}, {0, 0, -1});
        fill(1500);
        complete(start, 1.0, 5, 1);
        for (std::size_t i = 0; i < mass.size(); ++i) start.particles.mass[i] = mass[i];
    }

    Tag bead(Vec3d r, double m) {
        core::Vec3i image{};
        start.box.wrap(r, image);
        start.particles.position.push_back(r);
        mass.push_back(m);
        return static_cast<Tag>(mass.size()) - 1;
    }
    void bind(Tag a, Tag b) {
        const auto& r = start.particles.position;
        const auto d = start.box.minimum_image(r[static_cast<std::size_t>(a)] -
                                               r[static_cast<std::size_t>(b)]);
        spec.constraint.particles.insert(spec.constraint.particles.end(), {a, b});
        spec.constraint.row.push_back(static_cast<std::int32_t>(spec.constraint.row.size()));
        spec.constraint.parameters.push_back(std::sqrt(dot(d, d)));
    }
    void chain(int beads, const Vec3d& from, const Vec3d& by, const Vec3d& zigzag,
               const Vec3d& side) {
        Tag last = no_tag;
        for (int k = 0; k < beads; ++k) {
            const auto r = from + double(k) * by + (k % 2 == 0 ? 1.0 : -1.0) * zigzag;
            const auto here = bead(r, 1.0);
            if (last != no_tag) bind(last, here);
            if (k % 3 == 1) bind(here, bead(r + side, 0.3));
            last = here;
        }
    }
    void fill(std::size_t n) {
        std::mt19937_64 engine(8);
        std::uniform_real_distribution<double> uniform(-0.5, 0.5);
        auto& position = start.particles.position;
        while (position.size() < n) {
            const auto r = start.box.cartesian({uniform(engine), uniform(engine), uniform(engine)});
            const bool free = std::ranges::all_of(position, [&](const Vec3d& other) {
                const auto d = start.box.minimum_image(r - other);
                return dot(d, d) > 0.81;
            });
            if (free) position.push_back(r);
        }
    }
};

struct Case {
    const char* name;
    Scheme scheme;
    int ranks;
    bool barostat = false;
    double tolerance = 0;
    int threads = 1;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name << " on " << c.ranks; }

std::unique_ptr<Simulation> make(const Chains& chains, const Case& of, Precision precision,
                                 comm::World* world) {
    DeviceSpec device;
    device.threads = of.threads, device.pin = false;
    auto sim = std::make_unique<Simulation>(device, precision, chains.start.box,
                                            chains.start.particles, 1, 7, world);
    sim->add_pair(lennard_jones(2.5, EnergyMode::force_shift));
    auto spec = chains.spec;
    spec.tolerance = of.tolerance;
    sim->set_constraints(spec);
    auto m = motion(of.scheme, 0.002, of.barostat || of.scheme == Scheme::stochastic);
    m.kT = 1;
    if (m.coupled) {
        CouplingSpec coupling;
        const auto n = chains.start.particles.position.size();
        coupling.groups = {{1.0, 0.5, 3.0 * static_cast<double>(n), {}, {}, false}};
        if (of.barostat) {
            coupling.barostat.kind = Barostat::c_rescale;
            coupling.barostat.every = 5, coupling.barostat.tau = 1;
            coupling.barostat.pressure = {1, 1, 1, 0, 0, 0};
            coupling.barostat.compressibility = {0.1, 0.1, 0.1, 0, 0, 0};
        }
        sim->set_coupling(coupling, std::vector<std::uint8_t>(n, 0));
    }
    sim->set_motion(m, {});
    sim->constrain_start();
    return sim;
}

class RankChains : public ::testing::TestWithParam<Case> {
  protected:
    Outcome on(int ranks, Precision precision, std::int64_t steps) {
        const Chains chains;
        return run_on(
            ranks, [&](comm::World* world) { return make(chains, GetParam(), precision, world); },
            steps);
    }
};

TEST_P(RankChains, MoveAsOnOneRank) {
    const auto one = on(1, Precision::full, steps(200));
    const auto many = on(GetParam().ranks, Precision::full, steps(200));
    // A tolerance lets corrections end where they are good enough.
    const double same = GetParam().tolerance > 0 ? 1e-8 : 1e-12;
    expect_same_start(many, one, same);
    const auto scale = std::abs(one.start.constraint_virial.trace());
    EXPECT_GT(scale, 10);
    EXPECT_NEAR(many.start.constraint_virial.trace(), one.start.constraint_virial.trace(),
                10 * same * scale);
    EXPECT_NEAR(many.start.pressure, one.start.pressure, 10 * same * std::abs(one.start.pressure));
    EXPECT_EQ(many.start.dof, one.start.dof);
    EXPECT_NEAR(many.end.potential, one.end.potential, 1e4 * same * std::abs(one.end.potential));
    EXPECT_NEAR(many.end.pressure, one.end.pressure, 1e5 * same * std::abs(one.end.pressure));
    EXPECT_LT(rms_difference(many.velocity, one.velocity), 1e5 * same * rms(one.velocity));
    const Chains chains;
    const auto& terms = chains.spec.constraint;
    for (std::size_t k = 0; k < terms.row.size(); ++k) {
        const auto at = [&](std::size_t e) {
            return many.position[static_cast<std::size_t>(terms.particles[2 * k + e])];
        };
        const auto d = many.box.minimum_image(at(0) - at(1));
        EXPECT_NEAR(std::sqrt(dot(d, d)), terms.parameters[k], 1e-4) << "bond " << k;
    }
}

TEST_P(RankChains, HaveTheForcesOfOneRankInMixedPrecision) {
    expect_same_start(on(GetParam().ranks, Precision::mixed, 0), on(1, Precision::mixed, 0), 5e-6);
}

TEST_P(RankChains, RepeatToTheBit) {
    const std::int64_t steps = core::sanitized ? 20 : 40;
    const auto first = on(GetParam().ranks, Precision::mixed, steps);
    const auto again = on(GetParam().ranks, Precision::mixed, steps);
    EXPECT_EQ(first.position, again.position);
    EXPECT_EQ(first.velocity, again.velocity);
}

INSTANTIATE_TEST_SUITE_P(Grids, RankChains,
                         ::testing::Values(Case{"leap_frog", Scheme::leap_frog, 2},
                                           Case{"leap_frog", Scheme::leap_frog, 3},
                                           Case{"leap_frog", Scheme::leap_frog, 8},
                                           Case{"threads", Scheme::leap_frog, 2, false, 0, 3},
                                           Case{"verlet", Scheme::verlet, 4},
                                           Case{"stochastic", Scheme::stochastic, 4},
                                           Case{"barostat", Scheme::leap_frog, 2, true},
                                           Case{"barostat", Scheme::leap_frog, 8, true},
                                           Case{"tolerance", Scheme::leap_frog, 3, false, 1e-10}),
                         [](const auto& of) {
                             return std::string(of.param.name) + "_on_" +
                                    std::to_string(of.param.ranks);
                         });

}  // namespace
}  // namespace aureole::md::testing
