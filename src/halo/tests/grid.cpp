// SPDX-License-Identifier: Apache-2.0
#include "halo/grid.hpp"

#include <gtest/gtest.h>

namespace aureole::halo {
namespace {

core::Vec3i chosen(int ranks, const core::Box& box, double width, double narrowest = 1) {
    return choose_grid(ranks, box, width, narrowest).n;
}

TEST(ChooseGrid, CutsCubesAlongXThenYThenZ) {
    const core::Box cube{10, 10, 10};
    EXPECT_EQ(chosen(1, cube, 1.5), (core::Vec3i{1, 1, 1}));
    EXPECT_EQ(chosen(2, cube, 1.5), (core::Vec3i{2, 1, 1}));
    EXPECT_EQ(chosen(4, cube, 1.5, 4), (core::Vec3i{2, 2, 1}));
    EXPECT_EQ(chosen(8, cube, 1.5, 4), (core::Vec3i{2, 2, 2}));
    EXPECT_EQ(chosen(12, cube, 1.5, 3), (core::Vec3i{3, 2, 2}));
}

TEST(ChooseGrid, HasTheFewestGhosts) {
    EXPECT_EQ(chosen(2, {10, 11, 10}, 1.5), (core::Vec3i{1, 2, 1}));
    EXPECT_EQ(chosen(3, {10, 10, 30}, 1.5), (core::Vec3i{1, 1, 3}));
    // Cells of 5 × 5 × 10 have 1.5 (5 + 5 + 1.5) 10 of them, slabs of 2.5 only 1.5 · 10 · 10.
    EXPECT_EQ(chosen(4, {10, 10, 10}, 1.5), (core::Vec3i{4, 1, 1}));
}

TEST(ChooseGrid, CutsAlongZWhereThatSavesMoreThanItCosts) {
    EXPECT_EQ(chosen(2, {10, 10, 11}, 1.5), (core::Vec3i{2, 1, 1}));
    EXPECT_EQ(chosen(2, {10, 10, 12}, 1.5), (core::Vec3i{1, 1, 2}));
}

TEST(ChooseGrid, HasNoneWhereCellsWouldBeTooNarrow) {
    EXPECT_EQ(chosen(7, {10, 10, 10}, 1.5, 2), (core::Vec3i{0, 0, 0}));
    EXPECT_EQ(chosen(5, {10, 10, 10}, 1.5, 2), (core::Vec3i{5, 1, 1}));
}

TEST(ChooseGrid, CutsWhereGroupsReachLeast) {
    const core::Box cube{10, 10, 10};
    const auto with_groups = [&](int ranks, const core::Vec3d& extent) {
        return choose_grid(ranks, cube, 1.5, 2, extent).n;
    };
    EXPECT_EQ(with_groups(2, {2, 0, 0}), (core::Vec3i{1, 2, 1}));
    EXPECT_EQ(with_groups(4, {2, 2, 0}), (core::Vec3i{1, 1, 4}));
    EXPECT_EQ(with_groups(2, {2, 2, 2}), (core::Vec3i{0, 0, 0}));
}

}  // namespace
}  // namespace aureole::halo
