// SPDX-License-Identifier: Apache-2.0
#include "core/box.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace aureole::core {
namespace {

constexpr double rounding = 1e-13;  // of coordinates of about ten

const std::vector<Box> boxes = {
    {10, 11, 12},
    {9, 9, 9, 0.4, 0, 0},
    {10, 8, 9, 0.5, -0.3, 0.25},
    {10, 8, 9, -1.5, 1.2, -0.7},
    {10, 8, 9, 0.5, -0.3, 0.25, true, false, true},
    {10, 11, 12, 0, 0, 0, false, false, false},
};

class Points {
  public:
    explicit Points(double size) : uniform_(-size, size) {}
    Vec3d operator()() { return {uniform_(engine_), uniform_(engine_), uniform_(engine_)}; }

  private:
    std::mt19937 engine_{3};
    std::uniform_real_distribution<double> uniform_;
};

double distance(const Vec3d& a, const Vec3d& b) { return std::sqrt(dot(a - b, a - b)); }

TEST(Box, FractionalCoordinatesGoThereAndBack) {
    Points point(30);
    for (const auto& box : boxes)
        for (int k = 0; k < 200; ++k) {
            const auto r = point();
            EXPECT_LT(distance(box.cartesian(box.fractional(r)), r), rounding * 10);
        }
}

TEST(Box, VolumeAndFacesAreThoseOfTheLatticeVectors) {
    const auto cross = [](const Vec3d& a, const Vec3d& b) {
        return Vec3d{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    };
    for (const auto& box : boxes) {
        const auto a = box.lattice(1, 0, 0), b = box.lattice(0, 1, 0), c = box.lattice(0, 0, 1);
        const auto face = [&](const Vec3d& u, const Vec3d& v) {
            const auto normal = cross(u, v);
            return box.volume() / std::sqrt(dot(normal, normal));
        };
        EXPECT_NEAR(dot(a, cross(b, c)), box.volume(), 1e-10);
        const auto distances = box.face_distances();
        EXPECT_NEAR(distances.x, face(b, c), 1e-12);
        EXPECT_NEAR(distances.y, face(a, c), 1e-12);
        EXPECT_NEAR(distances.z, face(a, b), 1e-12);
    }
}

TEST(Box, WrappingMovesByWholeLatticeVectorsIntoTheBox) {
    Points point(60);
    for (const auto& box : boxes)
        for (int k = 0; k < 200; ++k) {
            const auto from = point();
            auto r = from;
            Vec3i image{1, -2, 3};
            box.wrap(r, image);
            const auto f = box.fractional(r);
            for (const auto& [axis, x] : {std::pair{0, f.x}, {1, f.y}, {2, f.z}}) {
                if (!box.periodic(axis)) continue;
                EXPECT_GE(x, -0.5 - rounding);
                EXPECT_LT(x, 0.5 + rounding);
            }
            const auto back = r + box.lattice(image.x - 1, image.y + 2, image.z - 3);
            EXPECT_LT(distance(back, from), rounding * 10);
        }
}

TEST(Box, WrappingLeavesOtherAxesAndInsidersAlone) {
    Box open{10, 11, 12};
    open.periodic_y = false;
    Vec3d r{1, 70, -2};
    Vec3i image{};
    open.wrap(r, image);
    EXPECT_EQ(r, (Vec3d{1, 70, -2}));
    EXPECT_EQ(image, (Vec3i{}));
}

TEST(Box, TheFaceItselfBelongsToOneSide) {
    const Box box{10, 11, 12};
    Vec3d low{-5, 0, 0}, high{5, 0, 0};
    Vec3i low_image{}, high_image{};
    box.wrap(low, low_image);
    box.wrap(high, high_image);
    EXPECT_EQ(low, (Vec3d{-5, 0, 0}));
    EXPECT_EQ(high, low);
    EXPECT_EQ(high_image.x, 1);
}

/// The shortest of all images within three boxes.
Vec3d shortest(const Box& box, const Vec3d& d) {
    Vec3d best = d;
    const auto range = [](bool periodic) { return periodic ? 4 : 0; };
    const int nx = range(box.periodic_x), ny = range(box.periodic_y), nz = range(box.periodic_z);
    for (int x = -nx; x <= nx; ++x)
        for (int y = -ny; y <= ny; ++y)
            for (int z = -nz; z <= nz; ++z) {
                const auto other = d + box.lattice(x, y, z);
                if (dot(other, other) < dot(best, best)) best = other;
            }
    return best;
}

TEST(Box, MinimumImageIsTheShortestWithinHalfTheFaces) {
    Points point(9);
    int compared = 0;
    for (const auto& box : boxes) {
        const auto face = box.face_distances();
        const double half = 0.5 * std::min({face.x, face.y, face.z});
        for (int k = 0; k < 300; ++k) {
            const auto d = point();
            const auto best = shortest(box, d);
            if (dot(best, best) >= half * half) continue;
            EXPECT_LT(distance(box.minimum_image(d), best), rounding * 10);
            ++compared;
        }
    }
    EXPECT_GT(compared, 200);
}

TEST(Box, MinimumImageIsOddAndPeriodic) {
    Points point(3);
    const Box box = boxes[2];
    for (int k = 0; k < 200; ++k) {
        const auto d = point();
        const auto one = box.minimum_image(d);
        EXPECT_LT(distance(box.minimum_image(-1.0 * d), -1.0 * one), rounding);
        if (dot(one, one) < 9) {  // within half the faces
            EXPECT_LT(distance(box.minimum_image(d + box.lattice(1, -1, 2)), one), rounding * 10);
        }
    }
}

}  // namespace
}  // namespace aureole::core
