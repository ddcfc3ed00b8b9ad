// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "md/integrate/common_motion.kernel.hpp"
#include "md/simulation/tests/molecules_systems.hpp"

// Steps of molecules in every engine: constraints, virtual sites, fields, descent.
namespace aureole::md::testing {
namespace {

class MoleculesMotion : public OnEngines {};
INSTANTIATE_TEST_SUITE_P(Engines, MoleculesMotion, ::testing::ValuesIn(engines()), engine_name);

TEST_P(MoleculesMotion, LeapFrogIsVelocityVerletHalfAStepApart) {
    const double dt = 0.004;
    auto start = fcc(4, 0.8, 0.05, 1.0);
    const auto force = lennard_jones(2.2, EnergyMode::force_shift);
    const auto verlet = simulate(start, force, nve(dt), on(1), Precision::full);
    const auto local = verlet->forces();  // sorts
    const auto first = to_tag_order(local, download_tags(verlet->queue(), verlet->particles()));
    for (std::size_t i = 0; i < first.size(); ++i)
        start.particles.velocity[i] -= (0.5 * dt) * first[i];
    const auto leap = simulate(start, force, motion(Scheme::leap_frog, dt), on(1), Precision::full);
    const auto n = steps(200);
    verlet->run(n, no_interruption), leap->run(n, no_interruption);
    const auto a = phase(*verlet), b = phase(*leap);
    double worst = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const auto d = a.position[i] - b.position[i];
        worst = std::max(worst, dot(d, d));
    }
    EXPECT_LT(std::sqrt(worst), 1e-8);
    // The mean of two half steps exceeds the kinetic energy between them by (dt a/2)²/2.
    const auto f = verlet->forces();
    double excess = 0;
    for (const auto& one : f) excess += 0.125 * dt * dt * dot(one, one);
    EXPECT_NEAR(leap->thermo().kinetic - verlet->thermo().kinetic, excess, 1e-6);
    EXPECT_NEAR(leap->thermo().potential, verlet->thermo().potential, 1e-6);
}

class Schemes : public ::testing::TestWithParam<std::tuple<DeviceSpec, Scheme>> {
  protected:
    void SetUp() override { under_test = std::get<0>(GetParam()); }
    static Scheme scheme() { return std::get<1>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Engines, Schemes,
                         ::testing::Combine(::testing::ValuesIn(engines()),
                                            ::testing::Values(Scheme::leap_frog, Scheme::verlet,
                                                              Scheme::stochastic)));

MotionSpec of(Scheme scheme, double dt) { return motion(scheme, dt, scheme == Scheme::stochastic); }

TEST_P(Schemes, BatchesAndLooksDoNotChangeATrajectory) {
    const auto start = fcc(4, 0.8, 0.05, 1.2);
    const auto n = steps(120);
    const auto run = [&](std::int64_t batch, bool look) {
        const auto sim = bound(start, of(scheme(), 0.003), 2, Precision::mixed);
        couple_all(*sim, 1.2, 0.5);
        for (std::int64_t done = 0; done < n; done += batch) {
            sim->run(std::min(batch, n - done), no_interruption);
            if (look) sim->thermo();
        }
        return phase(*sim);
    };
    const auto whole = run(n, false);
    EXPECT_EQ(whole, run(7, false));
    EXPECT_EQ(whole, run(11, true));
}

TEST_P(Schemes, ConstraintsAreSatisfiedAfterEveryStep) {
    const auto start = fcc(4, 0.8, 0.05, 1.2);
    const auto terms = dumbbells(start);
    const auto sim = bound(start, of(scheme(), 0.003));
    couple_all(*sim, 1.2, 0.5);
    for (int k = 0; k < steps(50); ++k) {
        sim->run(1, no_interruption);
        ASSERT_LT(worst_length(*sim, terms), 1e-12);
    }
    EXPECT_EQ(sim->thermo().dof, 3 * 256 - 128 - 3);  // less a constraint for every pair
}

double fluctuation(Scheme scheme, double dt) {
    const auto sim = bound(fcc(3, 0.8, 0.05, 1.2), motion(scheme, dt));
    sim->run(std::lround(0.5 / dt), no_interruption);
    double sum = 0, square = 0;
    const int samples = 60;
    double first = 0;
    for (int k = 0; k < samples; ++k) {
        sim->run(std::lround(0.024 / dt), no_interruption);
        const auto t = sim->thermo();
        const double e = t.potential + t.kinetic;
        if (k == 0) first = e;
        sum += e - first, square += (e - first) * (e - first);
    }
    return std::sqrt(square / samples - sum * sum / samples / samples);
}

TEST_P(MoleculesMotion, EnergyUnderConstraintsFluctuatesWithTheSquareOfTheTimeStep) {
    if (core::sanitized || hostile_environment())
        GTEST_SKIP() << "long, and the same code as otherwise";
    for (const auto scheme : {Scheme::leap_frog, Scheme::verlet}) {
        const double slow = fluctuation(scheme, 0.001), fast = fluctuation(scheme, 0.004);
        EXPECT_NEAR(std::log(fast / slow) / std::log(4.0), 2, 0.2);
    }
}

TEST_P(MoleculesMotion, SitesFollowTheirParentsAndKeepTheEnergy) {
    auto start = fcc(3, 0.5, 0.05, 1.0);
    // Every fourth particle is a site half way between its two predecessors.
    SiteSpec sites;
    const auto n = start.particles.position.size();
    sites.n = static_cast<std::int64_t>(n);
    sites.vsite2.parameters = {0.5};
    for (std::size_t i = 3; i < n; i += 4) {
        start.particles.mass[i] = 0;
        const auto tag = static_cast<std::int32_t>(i);
        for (const auto t : {tag, tag - 3, tag - 2}) sites.vsite2.particles.push_back(t);
        sites.vsite2.row.push_back(0);
    }
    Exclusions exclusions;
    exclusions.start.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 4 * (i / 4); j < 4 * (i / 4) + 4; ++j)
            if (j != i) exclusions.partner.push_back(static_cast<std::int32_t>(j));
        exclusions.start[i + 1] = static_cast<std::int64_t>(exclusions.partner.size());
    }
    const auto run = [&](double dt) {
        Simulation sim(on(2), Precision::full, start.box, start.particles, 1, 3);
        sim.add_pair(lennard_jones(2.0, EnergyMode::force_shift));
        sim.set_exclusions(exclusions);
        sim.set_sites(sites);
        sim.set_motion(motion(Scheme::verlet, dt), {});
        const auto total = [&] {
            const auto t = sim.thermo();
            return t.potential + t.kinetic;
        };
        const double before = total();
        sim.run(steps(std::lround(0.4 / dt)), no_interruption);
        const auto now = phase(sim);
        for (std::size_t i = 3; i < n; i += 4) {
            const auto half =
                sim.system().box.minimum_image(now.position[i - 2] - now.position[i - 3]);
            const auto off =
                sim.system().box.minimum_image(now.position[i] - now.position[i - 3]) - 0.5 * half;
            EXPECT_LT(dot(off, off), 1e-20);
        }
        return std::abs(total() - before);
    };
    const double error = run(0.002);
    EXPECT_LT(error, 0.02);
    if (!core::sanitized && !hostile_environment()) {
        EXPECT_LT(run(0.001), 0.4 * error);
    }
}

TEST_P(MoleculesMotion, FrozenAxesStay) {
    const auto start = fcc(3, 0.8, 0.05, 1.0);
    Simulation sim(on(2), Precision::mixed, start.box, start.particles, 1, 3);
    sim.add_pair(lennard_jones(2.0, EnergyMode::force_shift));
    std::vector<std::uint8_t> axes(start.particles.position.size(), 7);
    axes[5] = 0, axes[6] = 2, axes[7] = 5;
    sim.set_motion(motion(Scheme::leap_frog, 0.002), {});
    sim.set_free_axes(axes);
    const auto before = phase(sim);
    sim.run(steps(100), no_interruption);
    const auto after = phase(sim);
    EXPECT_EQ(before.position[5], after.position[5]);
    EXPECT_EQ(before.position[6].x, after.position[6].x);
    EXPECT_NE(before.position[6].y, after.position[6].y);
    EXPECT_EQ(before.position[7].y, after.position[7].y);
    EXPECT_NE(before.position[7].z, after.position[7].z);
}

TEST_P(MoleculesMotion, FrozenParticlesKeepTheirPlaceBesideTheCornerOfABoxThatChanges) {
    struct Case {
        Barostat kind;
        double tau, tilt;
    };
    for (const auto& of : {Case{Barostat::c_rescale, 0.2, 0}, Case{Barostat::berendsen, 0.2, 0.1},
                           Case{Barostat::parrinello_rahman, 1.5, 0.05}}) {
        auto start = liquid({5.6, 5.8, 6.0, 0.2, -0.1, 0.15}, 100, 0.9);
        start.particles.image[5] = {1, -2, 3};
        Simulation sim(on(2), Precision::full, start.box, start.particles, 1, 3);
        sim.add_pair(lennard_jones(2.0, EnergyMode::force_shift));
        std::vector<std::uint8_t> axes(100, moves_freely);
        axes[5] = axes[6] = 0, axes[7] = moves_y;
        sim.set_free_axes(axes);
        CouplingSpec coupling;
        coupling.groups = {{1, 0.1, 294, {}, {}, false}};
        auto& b = coupling.barostat;
        b.kind = of.kind, b.every = 2, b.shape = BoxShape::anisotropic, b.tau = of.tau;
        b.compressibility = {0.1, 0.1, 0.1, of.tilt, of.tilt, of.tilt};
        b.pressure = {5, 5, 5, 0, 0, 0};
        sim.set_coupling(coupling, std::vector<std::uint8_t>(100, 0));
        sim.set_motion(motion(Scheme::leap_frog, 0.002, true), {});
        const auto from_corner = [&](std::size_t i) {
            return phase(sim).position[i] + sim.system().box.lattice(0.5, 0.5, 0.5);
        };
        const auto places = {from_corner(5), from_corner(6), from_corner(7)};
        sim.run(20, no_interruption);
        EXPECT_GT(std::abs(sim.system().box.volume() / start.box.volume() - 1), 1e-4);
        std::size_t i = 5;
        for (const auto& before : places) {
            const auto moved = from_corner(i++) - before;
            EXPECT_NEAR(moved.x, 0, 1e-13);
            EXPECT_NEAR(moved.z, 0, 1e-13);
            if (i == 8) {
                EXPECT_GT(std::abs(moved.y), 1e-5);
            } else {
                EXPECT_NEAR(moved.y, 0, 1e-13);
            }
        }
    }
}

TEST_P(MoleculesMotion, AFieldPushesCharges) {
    auto start = fcc(2, 0.3, 0.0, 0.0);
    const auto n = start.particles.position.size();
    for (auto& v : start.particles.velocity) v = {};
    for (std::size_t i = 0; i < n; ++i) start.particles.charge.push_back(i % 2 == 0 ? 1 : -0.5);
    Simulation sim(on(2), Precision::full, start.box, start.particles, 1, 3);
    sim.add_pair(lennard_jones(0));
    const double dt = 0.001, omega = 5, centre = 0.02, width = 0.3;
    // Along y no pulse, so that the centre counts for nothing, as in GROMACS.
    sim.set_electric_field({{2, 1, 3}, {0, omega, omega}, {0, centre, centre}, {0, 0, width}});
    sim.set_motion(motion(Scheme::leap_frog, dt), {});
    const auto steps_made = steps(200);
    sim.run(steps_made, no_interruption);
    // Velocities are those of half a step before the positions: as many kicks as steps.
    double cosine = 0, along = 0;
    for (std::int64_t k = 0; k < steps_made; ++k) {
        const double time = static_cast<double>(k) * dt, t = time - centre;
        cosine += dt * std::cos(omega * time);
        along += dt * 3 * std::cos(omega * t) * std::exp(-0.5 * t * t / (width * width));
    }
    const auto v = phase(sim).velocity;
    for (std::size_t i = 0; i < n; ++i) {
        const double q = start.particles.charge[i];
        EXPECT_NEAR(v[i].x, q * 2 * dt * static_cast<double>(steps_made), 1e-12);
        EXPECT_NEAR(v[i].z, q * along, 1e-12);
        EXPECT_NEAR(v[i].y, q * cosine, 1e-12);
    }
}

TEST_P(MoleculesMotion, RotationOfTheWholeIsTakenOff) {
    auto start = fcc(2, 0.8, 0.1, 1.0);
    auto& p = start.particles;
    start.box.periodic_x = start.box.periodic_y = start.box.periodic_z = false;
    p.image.assign(p.position.size(), {});  // what left the box was wrapped into it
    for (std::size_t i = 0; i < p.position.size(); ++i) {
        p.mass[i] = 1 + 0.1 * static_cast<double>(i % 7);
        p.velocity[i] += Vec3d{0.3 - p.position[i].y, p.position[i].x, 0.2};
    }
    Simulation sim(on(1), Precision::full, start.box, p, 1, 3);
    sim.add_pair(lennard_jones(2.0, EnergyMode::force_shift));
    auto m = motion(Scheme::verlet, 0.001);
    m.remove_com_every = 10, m.remove_rotation = true;
    sim.set_motion(m, {});
    sim.run(10, no_interruption);
    const auto now = phase(sim);
    Vec3d momentum{}, angular{};
    for (std::size_t i = 0; i < p.position.size(); ++i) {
        const auto one = p.mass[i] * now.velocity[i];
        const auto r = now.position[i];
        momentum += one;
        angular +=
            Vec3d{r.y * one.z - r.z * one.y, r.z * one.x - r.x * one.z, r.x * one.y - r.y * one.x};
    }
    EXPECT_LT(std::sqrt(dot(momentum, momentum)), 1e-11);
    EXPECT_LT(std::sqrt(dot(angular, angular)), 1e-11);
}

TEST_P(MoleculesMotion, DescentEndsWhereFireDoes) {
    auto start = fcc(3, 1.0, 0.03);
    const auto force = lennard_jones(1.4, EnergyMode::force_shift);
    const auto fire = simulate(start, force, nve(0.002), on(1), Precision::full);
    const auto steep = simulate(start, force, nve(0.002), on(1), Precision::full);
    FireSpec spec;
    spec.force_tolerance = 1e-5;
    const auto want = fire->minimize(spec, no_interruption);
    int told = 0;
    const auto got = steep->descend({1e-5, 0.01, 20000, 1e-12},
                                    [&](const DescentState& s) { EXPECT_EQ(s.steps, told++); });
    EXPECT_TRUE(want.converged && got.converged);
    EXPECT_NEAR(got.energy, want.energy, 1e-7 * std::abs(want.energy));
    EXPECT_EQ(told, got.steps + 1);
}

/// The first step is so long that it leads uphill.
TEST_P(MoleculesMotion, DescentFollowsTheForcesOfTheBestPositions) {
    const auto start = fcc(3, 1.0, 0.03);
    const auto force = lennard_jones(1.4, EnergyMode::force_shift);
    const auto steep = simulate(start, force, nve(0.002), on(1), Precision::full);
    int uphill = 0;
    double before = 1e300;
    steep->descend({1e-5, 0.4, 30, 1e-12}, [&](const DescentState& s) {
        auto here = start;
        const auto now = phase(*steep);
        for (std::size_t i = 0; i < now.position.size(); ++i) {
            here.particles.position[i] = now.position[i];
            here.box.wrap(here.particles.position[i], here.particles.image[i]);
        }
        const auto fresh = simulate(here, force, nve(0.002), on(1), Precision::full);
        double largest = 0;
        for (const auto& f : fresh->forces()) largest = std::max(largest, std::sqrt(dot(f, f)));
        ASSERT_NEAR(s.max_force, largest, 1e-8 * largest) << "step " << s.steps;
        ASSERT_NEAR(s.energy, fresh->thermo().potential, 1e-10 * std::abs(s.energy));
        uphill += s.energy == before;
        before = s.energy;
    });
    EXPECT_GT(uphill, 2);
}

/// Partners that cannot move are what a wall is: lengths hold and the energy is kept.
TEST_P(MoleculesMotion, ConstraintsMayHaveFrozenEnds) {
    auto start = fcc(3, 0.8, 0.02, 1.0);
    const auto n = static_cast<std::int32_t>(start.particles.position.size());
    for (std::int32_t i = 2; i < n; i += 3)  // triangles, of which the first two are rigid waters
        for (const std::int32_t k : {i - 1, i}) {
            auto& r = start.particles.position[std::size_t(k)];
            r = start.particles.position[std::size_t(i) - 2] +
                (k == i ? Vec3d{0.5, 0, 0} : Vec3d{0.3, 0.4, 0});
            start.box.wrap(r, start.particles.image[std::size_t(k)]);
        }
    const double hh = std::sqrt(0.2);
    ConstraintSpec spec;
    spec.settle = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 0, 0, 0}, {0.5, hh}};
    spec.constraint = {{12, 13, 13, 14, 15, 16}, {0, 1, 0}, {0.5, hh}};
    std::vector<std::uint8_t> axes(start.particles.position.size(), moves_freely);
    axes[0] = axes[4] = axes[5] = axes[12] = axes[15] = axes[16] = 0;
    for (const std::size_t i : {6, 7, 8}) axes[i] = 0;
    for (std::int32_t i = 18; i < n; ++i) axes[std::size_t(i)] = 0;  // those that are not bound
    Exclusions exclusions;
    exclusions.start = {0};
    for (std::int32_t i = 0; i < n; ++i) {
        for (auto k = i - i % 3; k < std::min(n, i - i % 3 + 3); ++k)
            if (k != i) exclusions.partner.push_back(k);
        exclusions.start.push_back(static_cast<std::int64_t>(exclusions.partner.size()));
    }
    Simulation sim(on(2), Precision::full, start.box, start.particles, 1, 3);
    sim.add_pair(lennard_jones(1.2, EnergyMode::force_shift));
    sim.set_exclusions(exclusions);
    sim.set_constraints(spec);
    sim.set_free_axes(axes);
    sim.set_motion(motion(Scheme::verlet, 0.0005), {});
    sim.descend({1e3, 0.01, 200, 1e-12}, [](const DescentState&) {});
    sim.constrain_start();
    const auto before = phase(sim);
    const auto total = [&] {
        const auto t = sim.thermo();
        return t.potential + t.kinetic;
    };
    const double energy = total();
    sim.run(steps(100), no_interruption);
    const auto now = phase(sim);
    const auto length = [&](std::size_t a, std::size_t b) {
        const auto d = start.box.minimum_image(now.position[a] - now.position[b]);
        return std::sqrt(dot(d, d));
    };
    for (std::size_t i = 0; i < axes.size(); ++i)
        EXPECT_EQ(now.position[i] == before.position[i], axes[i] == 0) << i;
    for (const std::size_t o : {0, 3, 9}) {
        EXPECT_NEAR(length(o, o + 1), 0.5, 1e-8);
        EXPECT_NEAR(length(o, o + 2), 0.5, 1e-8);
        EXPECT_NEAR(length(o + 1, o + 2), hh, 1e-8);
    }
    EXPECT_NEAR(length(12, 13), 0.5, 1e-8);
    EXPECT_NEAR(length(13, 14), hh, 1e-8);
    EXPECT_NEAR(total(), energy, 0.02);
    EXPECT_TRUE(std::isfinite(sim.thermo().pressure));
}

TEST_P(MoleculesMotion, DescentKeepsConstraintsAndEndsWithoutForcesAcrossThem) {
    const auto start = fcc(3, 0.9, 0.05);
    const auto sim = bound(start, motion(Scheme::verlet, 0.002));
    const auto got = sim->descend({1e-3, 0.01, 5000, 1e-12}, [](const DescentState&) {});
    EXPECT_TRUE(got.converged);
    EXPECT_LT(worst_length(*sim, dumbbells(start)), 1e-10);
    EXPECT_LT(got.energy, bound(start, motion(Scheme::verlet, 0.002))->thermo().potential);
}

TEST_P(MoleculesMotion, RefusesWhatCannotBeRun) {
    auto start = fcc(3, 0.8, 0.05);
    // A thermostat that leap-frog does not support.
    auto leap = langevin(0.002, 1, 1);
    leap.scheme = Scheme::leap_frog;
    EXPECT_THROW(bound(start, leap), core::InputError);
    // A constrained particle that is frozen along one axis.
    {
        const auto sim = bound(start, motion(Scheme::verlet, 0.002));
        std::vector<std::uint8_t> axes(start.particles.position.size(), 7);
        axes[3] = 3;
        sim->set_free_axes(axes);
        EXPECT_THROW(sim->run(1, no_interruption), core::InputError);
    }
    start.particles.mass[4] = 0;
    const auto sim = simulate(start, lennard_jones(2.0), motion(Scheme::verlet, 0.002), on(1));
    EXPECT_THROW(sim->run(1, no_interruption), core::InputError);
}

/// Σ m r ⊗ r and the angular momentum of points that turn about their centre.
core::Vec3d found_turn(const std::vector<core::Vec3d>& points, const core::Vec3d& turn) {
    core::Sym3d second{};
    core::Vec3d angular{};
    for (const auto& r : points) {
        second += core::outer(2.0, r);
        angular += 2.0 * cross(r, cross(turn, r));
    }
    return angular_velocity(second, angular);
}

TEST(CommonMotion, TurnsOfBodiesAndLinesAreFound) {
    const core::Vec3d turn{0.3, -0.7, 1.1}, axis{0.6, 0, 0.8};
    const auto body = found_turn({{1, 0, 0}, {-1, 0.5, 0}, {0, -0.5, 0.3}, {0, 0, -0.3}}, turn);
    EXPECT_NEAR(std::sqrt(dot(body - turn, body - turn)), 0, 1e-13);
    // Nothing tells how a line turns about itself.
    const auto across = turn - dot(turn, axis) * axis;
    for (const auto& points :
         {std::vector{0.5 * axis, -0.5 * axis}, std::vector{axis, 0.25 * axis, -1.25 * axis}}) {
        const auto line = found_turn(points, turn);
        EXPECT_NEAR(std::sqrt(dot(line - across, line - across)), 0, 1e-9);
    }
    EXPECT_EQ(found_turn({{0, 0, 0}}, turn).x, 0);
}

}  // namespace
}  // namespace aureole::md::testing
