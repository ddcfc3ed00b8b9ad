// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "device/tests/devices.hpp"
#include "md/lists/tests/flat_systems.hpp"
#include "md/simulation/tests/systems.hpp"

// Lists of tiles beside all pairs in double precision, and beside flat lists.
namespace aureole::md::testing {
namespace {

core::Box box_of(double lx, double ly, double lz, double xy = 0, double xz = 0, double yz = 0) {
    core::Box box;
    box.lx = lx, box.ly = ly, box.lz = lz, box.xy = xy, box.xz = xz, box.yz = yz;
    return box;
}

std::vector<Shape> shapes() {
    auto slab = box_of(9, 10, 40);
    slab.periodic_z = false;
    auto open = box_of(60, 60, 60);
    open.periodic_x = open.periodic_y = open.periodic_z = false;
    return {
        {"cubic", box_of(10, 10, 10), 9},
        {"long", box_of(30, 6, 6), 7, 2, EnergyMode::xplor},
        {"small", box_of(5.03, 5.03, 5.03), 5, 1, EnergyMode::force_shift},
        {"triclinic", box_of(9, 9, 9, 0.4, -0.3, 0.25), 8, 3, EnergyMode::xplor},
        {"small triclinic", box_of(6.2, 5.8, 5.4, 0.3, 0.2, -0.3), 5, 2},
        {"slab", slab, 8, 3},
        {"open", open, 4},
    };
}

class TileEngines : public ::testing::Test {
  protected:
    device::Device device_ = device::Device::host({.threads = 2, .pin = false});
    device::Queue queue_{device_};

    System make(const Shape& shape, bool tiles, double r_cut = 2.5) {
        System system;
        system.box = shape.box;
        system.particles = upload(queue_, perturbed_lattice(shape, 1));
        system.forces.emplace_back(lennard_jones(shape.n_types, r_cut, shape.mode));
        system.motion.dt = 0.004;
        system.seed = 5, system.tiles = tiles;
        return system;
    }
    /// Deviations of forces from all pairs' [of the root mean square force].
    Deviation off(System& system, Engine& engine) {
        const auto reference = all_pairs<float>(system, download(queue_, system.particles.position),
                                                download(queue_, system.particles.type));
        const auto sums = engine.potential();
        const double scale = std::abs(reference.total.energy) + 1;
        EXPECT_NEAR(sums.total.energy, reference.total.energy, 1e-5 * scale);
        const auto &v = sums.total.virial, &r = reference.total.virial;
        const double size = std::abs(r.xx) + std::abs(r.yy) + std::abs(r.zz) + scale;
        for (const auto& [a, b] : {std::pair{v.xx, r.xx},
                                   {v.yy, r.yy},
                                   {v.zz, r.zz},
                                   {v.xy, r.xy},
                                   {v.xz, r.xz},
                                   {v.yz, r.yz}})
            EXPECT_NEAR(a, b, 1e-5 * size);
        const auto of_particle = engine.particle_sums();
        for (std::size_t i = 0; i < of_particle.energy.size(); ++i)
            EXPECT_NEAR(of_particle.energy[i], reference.energy[i],
                        1e-4 * (1 + std::abs(reference.energy[i])));
        return deviation(download_forces(queue_, engine, system.particles.n), reference.force);
    }
};

TEST_F(TileEngines, ForcesAreThoseOfAllPairs) {
    for (const auto& shape : shapes()) {
        SCOPED_TRACE(shape.name);
        Deviation found[2];
        for (const bool tiles : {false, true}) {
            auto system = make(shape, tiles);
            const auto engine = make_flat_engine<float>(queue_, system);
            engine->prepare();
            found[tiles] = off(system, *engine);
            engine->advance(33), engine->close_steps();
            found[tiles].rms = std::max(found[tiles].rms, off(system, *engine).rms);
        }
        EXPECT_LE(found[1].rms, 1.5 * found[0].rms);
        EXPECT_LE(found[1].largest, 2e-5);
    }
}

TEST_F(TileEngines, AnyNumberOfParticles) {
    for (const std::size_t n : {1, 2, 3, 31, 32, 33, 63, 64, 65, 125}) {
        SCOPED_TRACE(n);
        System system;
        system.box = box_of(5.6, 5.6, 5.6);
        auto data = perturbed_lattice({"", system.box, 5}, 1);
        data.position.resize(n), data.velocity.resize(n), data.mass.resize(n);
        data.type.resize(n), data.image.resize(n);
        system.particles = upload(queue_, data);
        system.forces.emplace_back(lennard_jones(1, 2.5, EnergyMode::none));
        system.motion.dt = 0.002, system.tiles = true;
        const auto engine = make_flat_engine<float>(queue_, system);
        engine->prepare();
        EXPECT_LE(off(system, *engine).rms, 3e-6);
        engine->advance(50), engine->close_steps();
        EXPECT_LE(off(system, *engine).rms, 3e-6);
    }
}

}  // namespace
}  // namespace aureole::md::testing
