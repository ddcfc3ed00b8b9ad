// SPDX-License-Identifier: Apache-2.0
#include "md/system/engine.hpp"

#include "core/error.hpp"
#include "device/tests/devices.hpp"
#include "md/lists/tests/flat_systems.hpp"
#include "md/simulation/tests/systems.hpp"

namespace aureole::md {
namespace {

void make_steps(Engine& engine, std::int64_t steps) {
    engine.advance(steps);
    engine.close_steps();
}

using device::testing::Setup;

core::Box box_of(double lx, double ly, double lz, double xy = 0, double xz = 0, double yz = 0) {
    core::Box box;
    box.lx = lx, box.ly = ly, box.lz = lz, box.xy = xy, box.xz = xz, box.yz = yz;
    return box;
}

std::vector<testing::Shape> shapes() {
    auto slab = box_of(9, 10, 40);
    slab.periodic_z = false;
    auto open = box_of(60, 60, 60);
    open.periodic_x = open.periodic_y = open.periodic_z = false;
    return {
        {"cubic", box_of(10, 10, 10), 9},
        {"long", box_of(30, 6, 6), 7, 2, EnergyMode::xplor},
        {"small", box_of(5.02, 5.02, 5.02), 5, 1, EnergyMode::force_shift},
        {"triclinic", box_of(9, 9, 9, 0.4, -0.3, 0.25), 8, 3, EnergyMode::xplor},
        {"small triclinic", box_of(6.2, 5.8, 5.4, 0.3, 0.2, -0.3), 5, 2},
        {"slab", slab, 8, 3},
        {"open", open, 4},
    };
}

/// Setups: one thread, several, the hostile mode, and a GPU where there is one.
std::vector<Setup> setups() {
    std::vector<Setup> some{{1, false, 1}, {3, false, 1}, {2, true, 1}};
    for (const auto& s : device::testing::all_setups())
        if (s.gpu) some.push_back(s);
    return some;
}

class FlatListEngines : public ::testing::TestWithParam<Setup> {
  protected:
    device::Device device_ = device::testing::make_device(GetParam());
    device::Queue queue_{device_};

    System make(const testing::Shape& shape, double r_cut = 2.5, unsigned seed = 1) {
        System system;
        system.box = shape.box;
        system.particles = upload(queue_, testing::perturbed_lattice(shape, seed));
        system.forces.emplace_back(testing::lennard_jones(shape.n_types, r_cut, shape.mode));
        system.motion.dt = 0.004;
        system.seed = 5;
        return system;
    }

    template <class T>
    void expect_right_forces(System& system, Engine& engine, const std::string& what) {
        const auto reference =
            testing::all_pairs<T>(system, download(queue_, system.particles.position),
                                  download(queue_, system.particles.type));
        const bool mixed = sizeof(T) == 4;
        const auto off = testing::deviation(download_forces(queue_, engine, system.particles.n),
                                            reference.force);
        EXPECT_LE(off.rms, mixed ? 1e-6 : 1e-12) << what;
        EXPECT_LE(off.largest, mixed ? 2e-5 : 1e-12) << what;
        const auto sums = engine.potential();
        const double tolerance = mixed ? 1e-5 : 1e-12;
        const double scale = std::abs(reference.total.energy) + 1;
        EXPECT_NEAR(sums.total.energy, reference.total.energy, tolerance * scale) << what;
        const auto &v = sums.total.virial, &r = reference.total.virial;
        const double size = std::abs(r.xx) + std::abs(r.yy) + std::abs(r.zz) + scale;
        for (const auto& [a, b] : {std::pair{v.xx, r.xx},
                                   {v.yy, r.yy},
                                   {v.zz, r.zz},
                                   {v.xy, r.xy},
                                   {v.xz, r.xz},
                                   {v.yz, r.yz}})
            EXPECT_NEAR(a, b, tolerance * size) << what;
        const auto of_particle = engine.particle_sums();
        for (std::size_t i = 0; i < of_particle.energy.size(); ++i)
            EXPECT_NEAR(of_particle.energy[i], reference.energy[i],
                        (mixed ? 1e-4 : 1e-11) * (1 + std::abs(reference.energy[i])))
                << what;
    }

    template <class T>
    void forces_everywhere() {
        for (const auto& shape : shapes()) {
            auto system = make(shape);
            const auto engine = make_flat_engine<T>(queue_, system);
            engine->prepare();
            expect_right_forces<T>(system, *engine, shape.name);
            make_steps(*engine, 33);  // lists in use, renewed, and expired
            expect_right_forces<T>(system, *engine, std::string(shape.name) + " after steps");
        }
    }

    Vec3d sum_of_velocities(const System& system) {
        Vec3d sum{};
        for (const auto& v : download(queue_, system.particles.velocity)) sum += v;
        return sum;
    }

    struct Outcome {
        std::vector<Vec3d> position, velocity;
        ListStatistics statistics;
    };
    template <class T>
    Outcome outcome(System& system, Engine& engine) {
        const auto tags = download_tags(queue_, system.particles);
        return {to_tag_order(download(queue_, system.particles.position), tags),
                to_tag_order(download(queue_, system.particles.velocity), tags),
                engine.statistics()};
    }
};

TEST_P(FlatListEngines, ForcesAreThoseOfAllPairsMixed) { forces_everywhere<float>(); }
TEST_P(FlatListEngines, ForcesAreThoseOfAllPairsDouble) { forces_everywhere<double>(); }

TEST_P(FlatListEngines, FewParticles) {
    for (const int n : {1, 2, 3}) {
        System system;
        system.box = box_of(6, 6, 6);
        ParticleData data = testing::perturbed_lattice({"few", system.box, 2});
        data.position.resize(n), data.velocity.resize(n), data.mass.resize(n);
        data.type.resize(n), data.image.resize(n);
        data.position[0] = {2.9, 0, 0};
        if (n > 1) data.position[1] = {-2.1, 0, 0};  // across the face, 1 apart
        system.particles = upload(queue_, data);
        system.forces.emplace_back(testing::lennard_jones(1, 2.5, EnergyMode::none));
        system.motion.dt = 0.001;
        const auto engine = make_flat_engine<double>(queue_, system);
        engine->prepare();
        expect_right_forces<double>(system, *engine, "few");
        make_steps(*engine, 50);
        expect_right_forces<double>(system, *engine, "few, later");
    }
}

TEST_P(FlatListEngines, WithoutForcesParticlesFlyStraight) {
    const testing::Shape shape{"gas", box_of(5, 5, 5), 3};
    System system;
    system.box = shape.box;
    const auto data = testing::perturbed_lattice(shape);
    system.particles = upload(queue_, data);
    system.motion.dt = 0.01;
    const auto engine = make_flat_engine<float>(queue_, system);
    engine->prepare();
    make_steps(*engine, 100);
    const auto end = outcome<float>(system, *engine);
    const auto tags = download_tags(queue_, system.particles);
    const auto image = to_tag_order(download(queue_, system.particles.image), tags);
    for (std::size_t i = 0; i < data.position.size(); ++i) {
        const auto r = end.position[i] + system.box.lattice(image[i].x, image[i].y, image[i].z);
        EXPECT_NEAR(r.x, data.position[i].x + data.velocity[i].x, 1e-9);
        EXPECT_EQ(end.velocity[i], data.velocity[i]);
    }
}

TEST_P(FlatListEngines, RowsThatAreTooShortGrow) {
    auto shape = testing::Shape{"drop", box_of(200, 200, 200), 8};
    auto system = make({"inner", box_of(8, 8, 8), 8});
    system.box = shape.box;  // a drop in a large empty box: a guess from the density is far off
    const auto engine = make_flat_engine<float>(queue_, system);
    engine->prepare();
    expect_right_forces<float>(system, *engine, "drop");
}

TEST_P(FlatListEngines, TrajectoryDoesNotDependOnRunsOrCalls) {
    const auto runs = core::sanitized ? std::vector<std::vector<int>>{{45}, {45}, {1, 7, 20, 17}}
                                      : std::vector<std::vector<int>>{{90}, {90}, {1, 7, 40, 42}};
    for (const GlobalThermostat thermostat :
         {GlobalThermostat::none, GlobalThermostat::langevin, GlobalThermostat::bussi}) {
        std::vector<Outcome> ends;
        for (const auto& calls : runs) {
            auto system = make({"triclinic", box_of(8, 8, 8, 0.2, 0.1, 0.3), 7, 2});
            system.motion.thermostat = thermostat;
            system.motion.kT = 1, system.motion.gamma = 1, system.motion.tau = 0.2;
            system.motion.remove_com_every = 25;
            const auto engine = make_flat_engine<float>(queue_, system);
            engine->set_tuning({0, 0.12, 0, 30});  // lists that often expire
            engine->prepare();
            for (const int steps : calls) engine->advance(steps);
            engine->close_steps();
            ends.push_back(outcome<float>(system, *engine));
            if (ends.size() == 1) expect_right_forces<float>(system, *engine, "end");
        }
        EXPECT_EQ(ends[0].position, ends[1].position);
        EXPECT_EQ(ends[0].velocity, ends[1].velocity);
        EXPECT_GT(ends[0].statistics.early_prunings, 0);
        EXPECT_EQ(ends[0].position, ends[2].position);
        EXPECT_EQ(ends[0].velocity, ends[2].velocity);
    }
}

TEST_P(FlatListEngines, RestartGoesOnBitByBit) {
    const testing::Shape shape{"cubic", box_of(8, 8, 8), 7, 3};
    auto system = make(shape);
    const auto engine = make_flat_engine<float>(queue_, system);
    engine->prepare();
    make_steps(*engine, 33);
    StateBlocks blocks;
    engine->save(blocks);
    auto again = make(shape);
    auto &from = system.particles, &to = again.particles;
    device::copy(queue_, to.position.view(), from.position.view());
    device::copy(queue_, to.velocity.view(), from.velocity.view());
    device::copy(queue_, to.type.view(), from.type.view());
    device::copy(queue_, to.tag.view(), from.tag.view());
    again.step = system.step;
    const auto restarted = make_flat_engine<float>(queue_, again);
    restarted->restore(blocks);
    make_steps(*engine, 50), make_steps(*restarted, 50);
    const auto a = outcome<float>(system, *engine), b = outcome<float>(again, *restarted);
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.statistics.searches, b.statistics.searches);
    EXPECT_THROW(restarted->restore({}), core::FileError);
}

TEST_P(FlatListEngines, EnergyIsKept) {
    auto system = make({"cubic", box_of(8, 8, 8), 8, 1, EnergyMode::xplor});
    system.motion.dt = 0.002;
    const auto engine = make_flat_engine<double>(queue_, system);
    engine->prepare();
    const auto energy = [&] {
        return engine->potential().total.energy + 0.5 * engine->motion_sums().twice_kinetic.trace();
    };
    make_steps(*engine, 20);  // off the lattice
    const double start = energy();
    make_steps(*engine, testing::steps(200));
    EXPECT_NEAR(energy(), start, 2e-3 * 512);
    const auto p = engine->motion_sums().momentum, p0 = sum_of_velocities(system);
    EXPECT_NEAR(p.x, p0.x, 1e-9);
}

TEST_P(FlatListEngines, ThermostatsHoldTheTemperature) {
    for (const GlobalThermostat thermostat :
         {GlobalThermostat::langevin, GlobalThermostat::bussi}) {
        auto system = make({"cubic", box_of(7, 7, 7), 7}, 1.12);
        system.motion.thermostat = thermostat;
        system.motion.kT = 1.5, system.motion.gamma = 5, system.motion.tau = 0.05;
        system.motion.thermostat_every = 5;
        const auto engine = make_flat_engine<float>(queue_, system);
        engine->prepare();
        make_steps(*engine, 100);
        double sum = 0;
        for (int k = 0; k < 20; ++k) {
            make_steps(*engine, 10);
            sum += engine->motion_sums().twice_kinetic.trace() / (3 * 343.0);
        }
        EXPECT_NEAR(sum / 20, 1.5, 0.15);
    }
}

TEST_P(FlatListEngines, ARunawayIsNamedAtItsStep) {
    auto system = make({"cubic", box_of(9, 9, 9), 8});
    const auto engine = make_flat_engine<float>(queue_, system);
    engine->prepare();
    make_steps(*engine, 5);
    auto velocity = download(queue_, system.particles.velocity);
    const auto tags = download_tags(queue_, system.particles);
    for (std::size_t i = 0; i < tags.size(); ++i)
        if (tags[i] == 77) velocity[i] = {NAN, 0, 0};
    device::copy_from_host(queue_, system.particles.velocity.view(), velocity.data());
    engine->prepare();
    try {
        make_steps(*engine, 50);
        FAIL() << "nothing was said";
    } catch (const core::BlowUpError& e) {
        EXPECT_EQ(e.what_happened.tag, 77);
        EXPECT_EQ(e.what_happened.step, 6);
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, FlatListEngines, ::testing::ValuesIn(setups()),
                         device::testing::name_of);

/// Teams of real threads: slow, so on few particles.
class FlatTeams : public FlatListEngines {};

TEST_P(FlatTeams, ForcesAreThoseOfAllPairs) {
    for (const auto& shape : {testing::Shape{"triclinic", box_of(6, 6, 6, 0.2, -0.3, 0.1), 4, 3},
                              testing::Shape{"small", box_of(5.1, 5.1, 5.1), 5}}) {
        auto system = make(shape);
        const auto engine = make_flat_engine<float>(queue_, system);
        engine->prepare();
        make_steps(*engine, 2);
        expect_right_forces<float>(system, *engine, shape.name);
    }
}

TEST_P(FlatTeams, TrajectoryHasTheSameBitsEachTime) {
    std::vector<Outcome> ends;
    for (int k = 0; k < 2; ++k) {
        auto system = make({"small", box_of(5.1, 5.1, 5.1), 4});
        const auto engine = make_flat_engine<double>(queue_, system);
        engine->set_tuning({0, 0.1, 0, 2});
        engine->prepare();
        make_steps(*engine, 5);
        ends.push_back(outcome<double>(system, *engine));
    }
    EXPECT_EQ(ends[0].position, ends[1].position);
    EXPECT_EQ(ends[0].velocity, ends[1].velocity);
}

INSTANTIATE_TEST_SUITE_P(Devices, FlatTeams,
                         ::testing::Values(Setup{4, false, 2}, Setup{4, false, 4},
                                           Setup{2, true, 2}),
                         device::testing::name_of);

}  // namespace
}  // namespace aureole::md
