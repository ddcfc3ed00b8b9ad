// SPDX-License-Identifier: Apache-2.0
#include "md/step/step_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "md/simulation/tests/molecules_systems.hpp"

// The order of a step, and that fusing its stages changes no bit.
namespace aureole::md::testing {
namespace {

std::string kinds(const std::vector<PlannedStage>& stages) {
    std::string text;
    for (const auto& stage : stages)
        text += (text.empty() ? "" : "; ") + std::string(declaration(stage.kind).name);
    return text;
}

System system_of(Scheme scheme) {
    System system;
    system.motion.dt = 0.01, system.motion.scheme = scheme;
    return system;
}

void bind(System& system) {
    system.constraints.constraint.particles = {0, 1};
    system.constraints.constraint.row = {0};
    system.constraints.constraint.parameters = {1.0};
}

TEST(StepPlan, FreeParticlesFlyInOneKernel) {
    const StepPlan plan(system_of(Scheme::plain));
    EXPECT_EQ(kinds(plan.before_forces()), "move");
    EXPECT_EQ(kinds(plan.after_forces()), "pair list; forces; kick");
    EXPECT_TRUE(plan.kick_may_wait());
}

TEST(StepPlan, ConstraintsFollowWhateverWritesPositionsOrLastVelocities) {
    auto system = system_of(Scheme::verlet);
    bind(system);
    const StepPlan verlet(system);
    EXPECT_EQ(kinds(verlet.before_forces()), "kick and drift; constraints; coordinates");
    EXPECT_EQ(kinds(verlet.after_forces()), "pair list; forces; kick; velocity constraints");
    EXPECT_FALSE(verlet.kick_may_wait());
    system.motion.scheme = Scheme::stochastic;
    const StepPlan noisy(system);
    EXPECT_EQ(kinds(noisy.before_forces()),
              "kick and drift; constraints; noise; drift; constraints; coordinates");
    system.motion.scheme = Scheme::leap_frog;
    EXPECT_EQ(kinds(StepPlan(system).after_forces()), "pair list; forces");  // no kick follows
}

TEST(StepPlan, FireIsVelocityVerletThatDecidesOnItself) {
    auto system = system_of(Scheme::fire);
    const StepPlan free(system);
    EXPECT_EQ(kinds(free.before_forces()), "FIRE mixing; move");
    EXPECT_EQ(kinds(free.after_forces()), "pair list; forces; kick; FIRE power");
    bind(system);
    const StepPlan bound(system);
    EXPECT_EQ(kinds(bound.before_forces()),
              "FIRE mixing; kick and drift; constraints; coordinates");
    EXPECT_EQ(kinds(bound.after_forces()),
              "pair list; forces; kick; velocity constraints; FIRE power");
    EXPECT_NE(bound.describe().find("alpha and dt of the next step"), std::string::npos);
}

TEST(StepPlan, SitesAndCouplingsStandWhereTheyMust) {
    auto system = system_of(Scheme::leap_frog);
    bind(system);
    system.sites.n = 3;
    system.motion.coupled = true, system.motion.remove_com_every = 100;
    system.coupling.thermostat = Thermostat::bussi, system.coupling.every = 10;
    system.coupling.barostat.kind = Barostat::c_rescale, system.coupling.barostat.every = 20;
    const StepPlan plan(system);
    EXPECT_EQ(kinds(plan.before_forces()),
              "kick and drift; constraints; box; virtual sites; coordinates");
    EXPECT_EQ(kinds(plan.after_forces()),
              "pair list; forces; spread forces; barostat; thermostat; barostat on velocities; "
              "drift removal");
    // Leap-frog's velocities at step 11 are those that step 10 ended with.
    EXPECT_TRUE(plan.acts(StageKind::thermostat, 11));
    EXPECT_FALSE(plan.acts(StageKind::thermostat, 10));
    EXPECT_TRUE(plan.acts(StageKind::barostat, 40));
    EXPECT_FALSE(plan.acts(StageKind::barostat, 41));
    const auto text = plan.describe();
    EXPECT_NE(text.find("v += dt F/m, r += dt v"), std::string::npos) << text;
    EXPECT_NE(text.find("every 20 steps"), std::string::npos) << text;
}

class FusedStages : public OnEngines {};
INSTANTIATE_TEST_SUITE_P(Engines, FusedStages, ::testing::ValuesIn(engines()), engine_name);

TEST_P(FusedStages, MakeTheSameBits) {
    const auto equal = fcc(4, 0.8, 0.02, 1.2);
    // SIMD packs, which move particles of one mass, round noise in another way.
    auto unequal = equal;
    unequal.particles.mass[5] = 1.5;
    const auto run = [&](const MotionSpec& m, bool fuse) {
        const auto& start = m.thermostat == GlobalThermostat::langevin ? unequal : equal;
        Simulation sim(on(1), Precision::mixed, start.box, start.particles, 1, 11);
        sim.add_pair(lennard_jones(2.2, EnergyMode::force_shift));
        sim.set_motion(m, {});
        sim.fuse_stages(fuse);
        EXPECT_EQ(sim.describe().find("kick and drift") == std::string::npos, fuse);
        sim.run(steps(60), no_interruption);
        return phase(sim);
    };
    auto langevin = nve(0.004), bussi = nve(0.004);
    langevin.thermostat = GlobalThermostat::langevin, langevin.kT = 1, langevin.gamma = 2;
    bussi.thermostat = GlobalThermostat::bussi, bussi.kT = 1, bussi.tau = 0.1,
    bussi.remove_com_every = 7;
    for (const auto& m : {nve(0.004), langevin, bussi, motion(Scheme::leap_frog, 0.004),
                          motion(Scheme::verlet, 0.004)}) {
        const auto fused = run(m, true), apart = run(m, false);
        EXPECT_EQ(fused.position, apart.position) << int(m.scheme) << int(m.thermostat);
        EXPECT_EQ(fused.velocity, apart.velocity) << int(m.scheme) << int(m.thermostat);
    }
}

/// One thermostat under two names: that of an integrator for free particles, and a group of
/// stochastic dynamics.
TEST_P(FusedStages, LangevinWithConstraintsIsStochasticDynamics) {
    const auto start = fcc(3, 0.8, 0.02, 1.2);
    auto m = nve(0.002);
    m.thermostat = GlobalThermostat::langevin, m.kT = 1.1, m.gamma = 4;
    const auto one = bound(start, m);
    const auto other = bound(start, motion(Scheme::stochastic, 0.002, true));
    couple_all(*other, 1.1, 0.25);
    one->run(steps(100), no_interruption), other->run(steps(100), no_interruption);
    EXPECT_EQ(phase(*one).position, phase(*other).position);
    EXPECT_EQ(phase(*one).velocity, phase(*other).velocity);
}

/// The mean kinetic energy is that of the degrees of freedom that constraints leave.
TEST_P(FusedStages, BussiWithConstraintsHoldsTheTemperature) {
    const auto start = fcc(3, 0.8, 0.02, 1.2);
    const auto sim = bound(start, bussi(0.004, 1.3, 0.02, 1));
    sim->run(steps(400), no_interruption);
    double sum = 0;
    const int samples = static_cast<int>(steps(200));
    for (int k = 0; k < samples; ++k) {
        sim->run(5, no_interruption);
        sum += 2 * sim->thermo().kinetic;
    }
    const double n = static_cast<double>(start.particles.mass.size()), dof = 3 * n - n / 2 - 3;
    const double noise = 1.3 * std::sqrt(2 / dof);  // of one sample, which the next forgets
    EXPECT_NEAR(sum / samples / dof, 1.3, 5 * noise / std::sqrt(samples / 4.0));
}

/// Steps are enqueued without looking at the device, thermostats and all, but for one look in ten
/// at whether an exact list still holds, and take no memory.
class Looks : public ::testing::Test {
  protected:
    System make() {
        System system;
        system.box = start_.box;
        system.particles = upload(queue_, start_.particles);
        system.forces.emplace_back(lennard_jones(2.2, EnergyMode::force_shift));
        system.motion = nve(0.002);
        return system;
    }
    void bind_pairs(System& system) {
        system.constraints.constraint = dumbbells(start_);
        system.constraints.mass = start_.particles.mass;
    }
    void couple(System& system, Thermostat thermostat) {
        const std::vector<std::uint8_t> group(start_.particles.mass.size(), 0);
        system.particles.thermostat_group = to_device(queue_, group);
        system.motion.coupled = true;
        system.coupling.thermostat = thermostat;
        system.coupling.groups = {{1.0, 0.2, 500.0, {}, {}, false}};
    }
    void expect_one_per_segment(System& system) {
        const std::int64_t n = hostile_environment() ? 120 : 300;  // steps are slow there
        const auto engine = make_flat_engine<float>(queue_, system);
        engine->prepare();
        engine->advance(n / 3);
        const auto before = queue_.counts();
        const auto searches = engine->statistics().searches;
        engine->advance(n);
        const auto after = queue_.counts();
        const auto lists = engine->statistics().searches - searches;
        EXPECT_GT(lists, n / 100);
        EXPECT_LT(lists, n / 5);
        // A list that expired makes another segment. What new lists want to know comes with the
        // look at the end of one; those that sort look at bonds as well.
        constexpr int of_search = 0, of_segment = 2;
        EXPECT_LE(after.looks - before.looks, (of_search + of_segment) * (lists + 1) + n / 10);
        // Neither steps nor sorts take memory; a list may outgrow its room.
        EXPECT_LE(after.allocations - before.allocations, 1);
    }

    /// Teams of threads are slow in hostile mode.
    device::Device device_ =
        device::Device::host({.threads = hostile_environment() ? 1 : 2, .pin = false});
    device::Queue queue_{device_};
    const Start start_ = fcc(4, 0.8, 0.02, 1.2);
};

TEST_F(Looks, OfFreeParticlesAreOnePerSegment) {
    auto system = make();
    expect_one_per_segment(system);
    system.motion.thermostat = GlobalThermostat::bussi, system.motion.kT = 1,
    system.motion.tau = 0.1;
    expect_one_per_segment(system);
}

TEST_F(Looks, OfMoleculesWithThermostatsAreOnePerSegment) {
    for (const auto thermostat : {Thermostat::bussi, Thermostat::nose_hoover}) {
        auto system = make();
        bind_pairs(system);
        couple(system, thermostat);
        system.motion.scheme = Scheme::leap_frog;
        expect_one_per_segment(system);
    }
    auto system = make();
    bind_pairs(system);
    couple(system, Thermostat::none);
    system.motion.scheme = Scheme::stochastic;
    expect_one_per_segment(system);
}

/// Constraints are refined to their tolerance without a look, and as often as that needs.
TEST_F(Looks, OfConstraintsWithAToleranceAreOnePerSegment) {
    for (const double tolerance : {1e-5, 1e-9, 1e-14}) {
        auto system = make();
        bind_pairs(system);
        couple(system, Thermostat::bussi);
        system.motion.scheme = Scheme::leap_frog;
        system.constraints.tolerance = tolerance;
        expect_one_per_segment(system);
        const auto at = to_tag_order(download(queue_, system.particles.position),
                                     download_tags(queue_, system.particles));
        const auto& bonds = system.constraints.constraint;
        for (std::size_t k = 0; k < bonds.row.size(); ++k) {
            const auto a = static_cast<std::size_t>(bonds.particles[2 * k]),
                       b = static_cast<std::size_t>(bonds.particles[2 * k + 1]);
            const auto d = system.box.minimum_image(at[a] - at[b]);
            const double want = bonds.parameters[static_cast<std::size_t>(bonds.row[k])];
            // With what positions are rounded by.
            EXPECT_NEAR(std::sqrt(dot(d, d)) / want, 1, tolerance + 4e-15);
        }
    }
}

TEST_F(Looks, ConstraintsThatDoNotConvergeNameTheirParticles) {
    auto system = make();
    bind_pairs(system);
    couple(system, Thermostat::none);
    system.motion.scheme = Scheme::leap_frog;
    system.constraints.tolerance = 1e-19;
    const auto engine = make_flat_engine<float>(queue_, system);
    engine->prepare();
    try {
        engine->advance(100);
        FAIL() << "nothing was thrown";
    } catch (const core::Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("do not converge at step "), std::string::npos) << text;
        EXPECT_NE(text.find("the distance between particles "), std::string::npos) << text;
    }
}

/// A minimiser decides on the device; the host looks once in 10 steps, and where lists are made.
TEST_F(Looks, OfFireAreOnePerSegment) {
    auto system = make();
    system.motion = {};
    system.motion.dt = 0.002, system.motion.longest_move = 0.1;
    system.motion.scheme = Scheme::fire;
    const std::vector<Vec3d> rest(start_.particles.mass.size());
    device::copy_from_host(queue_, system.particles.velocity.view(), rest.data());
    const auto engine = make_flat_engine<double>(queue_, system);
    engine->prepare();
    engine->begin_fire({.force_tolerance = 1e-12, .max_steps = 1000, .dt_start = 0.002});
    const auto before = queue_.counts();
    const auto searches = engine->statistics().searches;
    const double first = engine->fire().max_force;
    engine->advance(100);
    const auto found = engine->fire();
    const auto lists = engine->statistics().searches - searches;
    EXPECT_EQ(found.steps, 100);
    EXPECT_LT(found.max_force, 0.1 * first);
    constexpr int of_search = 3, of_segment = 2, asked = 2;
    EXPECT_LE(queue_.counts().looks - before.looks, (of_search + of_segment) * lists + 10 + asked);
    EXPECT_LT(lists, 10);
}

/// Most trials of a descent are kept, and take two looks.
TEST_F(Looks, OfADescentAreTwoPerStepThatIsKept) {
    auto system = make();
    bind_pairs(system);
    const auto engine = make_flat_engine<double>(queue_, system);
    engine->prepare();
    auto now = engine->begin_descent(0.002, 0);
    const double first = now.energy;
    const auto before = queue_.counts();
    const auto searches = engine->statistics().searches;
    std::int64_t undone = 0;
    for (int k = 0; k < 100; ++k) {
        const double step = now.step;
        now = engine->descend();
        if (now.step < step) ++undone;
    }
    const auto lists = engine->statistics().searches - searches;
    EXPECT_LT(now.energy, first - 3);
    EXPECT_LT(undone, 50);
    constexpr int of_search = 4, of_undone = 2;
    EXPECT_LE(queue_.counts().looks - before.looks,
              2 * 100 + of_undone * undone + of_search * lists);
}

/// A barostat strains the box at every step, and an exact list lasts as long as without.
TEST_F(Looks, OfFreeParticlesUnderPressureAreOnePerSegment) {
    for (const auto kind : {Barostat::c_rescale, Barostat::parrinello_rahman}) {
        auto system = make();
        couple(system, Thermostat::none);
        system.motion.scheme = Scheme::leap_frog;
        system.first_volume = system.box.volume();
        auto& b = system.coupling.barostat;
        b.kind = kind, b.every = 1, b.tau = 1;
        b.pressure = {4, 4, 4, 0, 0, 0}, b.compressibility = {0.05, 0.05, 0.05, 0, 0, 0};
        expect_one_per_segment(system);
        EXPECT_NE(system.box.volume(), system.first_volume);
    }
}

}  // namespace
}  // namespace aureole::md::testing
