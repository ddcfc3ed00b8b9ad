// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/local_density.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "md/simulation/tests/systems.hpp"

// The density around particles beside counts in cells of our own, and widths of lists by it.
namespace aureole::md::testing {
namespace {

constexpr double r_cut = 0.9;

class Density : public ::testing::Test {
  protected:
    /// `charge` of particles of types 0 and 1, the second of which attract half as much.
    SeenNeighbours see(const core::Box& box, const std::vector<Vec3d>& r, const Frame& part = {},
                       const std::vector<double>& charge = {},
                       const std::vector<std::int32_t>& type = {}) {
        const auto position = to_device(queue_, r);
        const auto charges = to_device(queue_, charge);
        const auto types = to_device(queue_, type);
        const auto attraction = to_device(queue_, std::vector<double>{1, 0.5});
        CountedParticles of{position.data(), nullptr, nullptr, nullptr};
        if (!charge.empty()) of.charge = charges.data();
        if (!type.empty()) of.type = types.data(), of.attraction = attraction.data();
        return LocalDensity(queue_).see(box, part, r_cut, of, position.size());
    }

  private:
    device::Device device_ = device::Device::host({.threads = 2, .pin = false});
    device::Queue queue_{device_};
};

/// Others in the cells of the whole box.
std::int64_t others_in_cells(const core::Box& box, const std::vector<Vec3d>& r) {
    std::map<std::array<int, 3>, std::int64_t> cells;
    const auto face = box.face_distances();
    const auto cell = [](double s, double length) {
        return static_cast<int>((s + 0.5) * std::floor(length / r_cut));
    };
    for (const auto& one : r) {
        const auto s = box.fractional(one);
        ++cells[{cell(s.x, face.x), cell(s.y, face.y), cell(s.z, face.z)}];
    }
    std::int64_t others = 0;
    for (const auto& [at, n] : cells) others += n * (n - 1);
    return others;
}

TEST_F(Density, IsTheOneOfAUniformBox) {
    const auto start = liquid({4, 5, 4.5}, 3000, 0.1);
    const auto seen = see(start.box, start.particles.position);
    EXPECT_EQ(seen.sums.products.particles,
              double(others_in_cells(start.box, start.particles.position)));
    EXPECT_NEAR(seen.per_volume.particles / 3000, 3000 / start.box.volume(),
                0.06 * 3000 / start.box.volume());
}

/// Cells of the widest box by far are more than a table has places.
TEST_F(Density, OfADropletIsThatOfItsInside) {
    const auto start = liquid({3, 3, 3}, 1000, 0.15);
    const auto& r = start.particles.position;
    const double n = 1000, inside = n / start.box.volume();
    for (const double edge : {3.0, 9.0, 27.0, 900.0}) {
        const core::Box box{edge, edge, edge};
        const auto seen = see(box, r);
        const double exact = double(others_in_cells(box, r));
        EXPECT_GE(seen.sums.products.particles, exact) << edge;
        EXPECT_LE(seen.sums.products.particles, 1.02 * exact) << edge;
        EXPECT_GT(seen.per_volume.particles / n, 0.5 * inside) << edge;
        EXPECT_LT(seen.per_volume.particles / n, 1.1 * inside) << edge;
    }
}

/// Neighbours that ranks see in their parts, beside those that one rank sees of all.
TEST_F(Density, OfPartsOfTheBoxAddsUp) {
    const auto start = liquid({5, 5, 5}, 4000, 0.1);
    const auto& all = start.particles.position;
    SeenNeighbours sum;
    for (int k = 0; k < 2; ++k) {
        Frame part;
        (k == 0 ? part.high.x : part.low.x) = 0.1;
        std::vector<Vec3d> here;
        for (const auto& r : all) {
            const double s = start.box.fractional(r).x;
            if (s >= part.low.x && s < part.high.x) here.push_back(r);
        }
        sum = sum + see(start.box, here, part);
    }
    EXPECT_NEAR(sum.per_volume.particles, see(start.box, all).per_volume.particles,
                0.03 * sum.per_volume.particles);
}

/// A tenth of the particles has all charge, and those lie together.
TEST_F(Density, OfChargesIsTheirOwn) {
    const auto start = liquid({5, 5, 5}, 4000, 0.1);
    const auto& r = start.particles.position;
    std::vector<double> charge;
    std::vector<std::int32_t> type;
    std::vector<Vec3d> charged;
    for (const auto& one : r) {
        const bool inside = std::max({std::abs(one.x), std::abs(one.y), std::abs(one.z)}) < 1.2;
        charge.push_back(inside ? (charge.size() % 2 == 0 ? 0.7 : -0.7) : 0);
        type.push_back(inside ? 1 : 0);
        if (inside) charged.push_back(one);
    }
    const auto seen = see(start.box, r, {}, charge, type);
    const double n = double(charged.size()), parts = 1 << 20;
    EXPECT_NEAR(seen.sums.all.charge, 0.7 * parts * n, 1e-6 * parts * n);
    EXPECT_NEAR(seen.sums.products.charge / (0.49 * parts * parts),
                double(others_in_cells(start.box, charged)), 1e-3 * n * n);
    EXPECT_NEAR(seen.sums.all.attraction, parts * (4000 - 0.5 * n), 1);
    const double box = start.box.volume();
    EXPECT_EQ(seen.volume(&OfContent::particles, box, box), box);
    EXPECT_EQ(seen.volume(&OfContent::attraction, box, box), box);
    const double of_charges = seen.volume(&OfContent::charge, box, box);
    EXPECT_GT(of_charges, std::pow(2.4, 3));
    EXPECT_LT(of_charges, 2.5 * std::pow(2.4, 3));  // cells are cut by its faces
}

TEST(SeenVolume, IsAnotherOnlyBeyondChance) {
    const double n = 200, box = 200;
    const auto volume = [&](double pairs, double density, double assumed) {
        SeenNeighbours seen;
        seen.sums.all.particles = n, seen.sums.products.particles = 2 * pairs;
        seen.per_volume.particles = density * n;
        return seen.volume(&OfContent::particles, assumed, box);
    };
    EXPECT_EQ(volume(10'000, 1.05, box), box);
    EXPECT_DOUBLE_EQ(volume(10'000, 1.5, box), box / 1.5);
    EXPECT_EQ(volume(10, 1.5, box), box);
    EXPECT_EQ(volume(10'000, 1.9, 100), 100);
    EXPECT_DOUBLE_EQ(volume(10'000, 1.25, 100), box / 1.25);
    EXPECT_EQ(volume(10, 1.25, 100), 100);
    EXPECT_EQ(volume(10'000, 0.5, 100), box);  // at most that of the box
    EXPECT_EQ(volume(0, 0, box), box);
}

class WidthOfADroplet : public ::testing::TestWithParam<const char*> {
  protected:
    /// Width of the lists of 1000 charges together in a box, with a gas of other particles around
    /// them.
    static double width(double edge, int others = 0) {
        auto start = liquid({3, 3, 3}, 1000, 0.15, 2.5);
        auto& p = start.particles;
        for (std::size_t i = 0; i < 1000; ++i) p.charge.push_back(i % 2 == 0 ? 0.5 : -0.5);
        if (others > 0) {
            const auto gas = liquid({edge, edge, edge}, others, 0.3, 2.5).particles;
            for (std::size_t i = 0; i < gas.position.size(); ++i) {
                const auto& r = gas.position[i];
                if (std::max({std::abs(r.x), std::abs(r.y), std::abs(r.z)}) < 1.8) continue;
                p.position.push_back(r), p.velocity.push_back(gas.velocity[i]);
                p.image.push_back({}), p.mass.push_back(1), p.type.push_back(1);
                p.charge.push_back(0);
            }
        }
        start.box = {edge, edge, edge};
        auto spec = host(1);
        spec.algorithm = GetParam();
        Simulation sim(spec, Precision::mixed, start.box, p, 2, 3);
        NonbondedSpec forces;
        forces.n_types = 2, forces.c6 = {1e-3, 1e-6, 1e-6, 1e-6}, forces.c12 = {1e-6, 0, 0, 0};
        forces.r_vdw = forces.r_coulomb = r_cut, forces.coulomb_constant = 138.9;
        sim.set_nonbonded(forces);
        sim.set_list(
            {.exact = false, .tolerance = 0.05, .inner_lifetime = 10, .outer_lifetime = 20});
        sim.set_motion(nve(0.002), {});
        sim.forces();
        return sim.statistics().outer_buffer;
    }
};
INSTANTIATE_TEST_SUITE_P(Lists, WidthOfADroplet, ::testing::Values("auto", "lanes"));

/// The width is that of the liquid, whatever box is around it.
TEST_P(WidthOfADroplet, IsThatOfTheLiquid) {
    const double of_liquid = width(3);
    for (const double edge : {9.0, 60.0}) EXPECT_NEAR(width(edge), of_liquid, 0.1 * of_liquid);
}

/// A gas has part in what is tolerated, and none in what is missed.
TEST_P(WidthOfADroplet, StaysWhereAGasIsAroundIt) {
    const double alone = width(20), amid_gas = width(20, 2000);
    EXPECT_GT(amid_gas, 0.6 * alone);
    EXPECT_LT(amid_gas, 1.02 * alone);
}

}  // namespace
}  // namespace aureole::md::testing
