// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/local_density.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "md/tests/systems.hpp"

// The density around particles beside counts in cells of our own, and widths of lists by it.
namespace aureole::md::testing {
namespace {

constexpr double r_cut = 0.9;

class Density : public ::testing::Test {
  protected:
    SeenNeighbours see(const core::Box& box, const std::vector<Vec3d>& r, const Frame& part = {}) {
        const auto positions = to_device(queue_, r);
        return LocalDensity(queue_).see(box, part, r_cut, positions.view());
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
    EXPECT_EQ(seen.in_cells, double(others_in_cells(start.box, start.particles.position)));
    EXPECT_NEAR(seen.per_volume / 3000, 3000 / start.box.volume(),
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
        EXPECT_GE(seen.in_cells, exact) << edge;
        EXPECT_LE(seen.in_cells, 1.02 * exact) << edge;
        EXPECT_GT(seen.per_volume / n, 0.5 * inside) << edge;
        EXPECT_LT(seen.per_volume / n, 1.1 * inside) << edge;
    }
}

/// What ranks see of their parts, beside what one sees of all.
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
    EXPECT_NEAR(sum.per_volume, see(start.box, all).per_volume, 0.03 * sum.per_volume);
}

TEST(SeenDensity, IsAnotherOnlyBeyondChance) {
    const double n = 200, mean = 1;
    const auto seen = [&](double pairs, double density) {
        return SeenNeighbours{2 * pairs, density * n};
    };
    EXPECT_EQ(seen(10'000, 1.05).density(mean, mean, n), mean);
    EXPECT_EQ(seen(10'000, 1.5).density(mean, mean, n), 1.5);
    EXPECT_EQ(seen(10, 1.5).density(mean, mean, n), mean);
    EXPECT_EQ(seen(10'000, 0.9).density(1, 0.1, n), 1);
    EXPECT_EQ(seen(10'000, 0.5).density(1, 0.1, n), 0.5);
    EXPECT_EQ(seen(10, 0.5).density(1, 0.1, n), 1);
    EXPECT_EQ(seen(10'000, 0.5).density(2, mean, n), mean);  // at least the mean of the box
    EXPECT_EQ(SeenNeighbours{}.density(mean, mean, n), mean);
}

class WidthInAVacuum : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Lists, WidthInAVacuum, ::testing::Values("auto", "lanes"));

/// Lists of a droplet are as wide as those of the liquid, whatever box is around it.
TEST_P(WidthInAVacuum, IsThatOfTheLiquid) {
    const auto width = [](double edge) {
        auto start = liquid({3, 3, 3}, 1000, 0.15, 2.5);
        start.box = {edge, edge, edge};
        auto spec = host(1);
        spec.algorithm = GetParam();
        Simulation sim(spec, Precision::mixed, start.box, start.particles, 1, 3);
        NonbondedSpec forces;
        forces.n_types = 1, forces.c6 = {0.1}, forces.c12 = {1e-4};
        forces.r_vdw = forces.r_coulomb = r_cut, forces.coulomb_constant = 138.9;
        sim.set_nonbonded(forces);
        sim.set_list(
            {.exact = false, .tolerance = 0.05, .inner_lifetime = 10, .outer_lifetime = 20});
        sim.set_motion(nve(0.002), {});
        sim.forces();
        return sim.statistics().outer_buffer;
    };
    const double of_liquid = width(3);
    for (const double edge : {9.0, 60.0}) EXPECT_NEAR(width(edge), of_liquid, 0.1 * of_liquid);
}

}  // namespace
}  // namespace aureole::md::testing
