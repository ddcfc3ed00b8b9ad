// SPDX-License-Identifier: Apache-2.0
#include "amr/tree/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "amr/tests/problems.hpp"
#include "core/error.hpp"

namespace aureole::amr {
namespace {

using testing::mesh_of;

/// A leaf as a box of the finest nodes, [low, high) along each axis.
struct Extent {
    core::Vec3i low{}, high{};
    int level = 0;
};

constexpr int most = 4;  // levels

std::vector<Extent> extents(const Tree& tree) {
    std::vector<Extent> all;
    for (std::int64_t k = 0; k < tree.size(); ++k) {
        const auto place = tree.key(k).place();
        Extent box;
        box.level = tree.level(k);
        const int size = 1 << (most - box.level);
        for (int axis = 0; axis < 3; ++axis) {
            const bool is_there = axis < tree.mesh().dims;
            component(box.low, axis) = is_there ? component(place, axis) * size : 0;
            component(box.high, axis) = is_there ? component(box.low, axis) + size : 1;
        }
        all.push_back(box);
    }
    return all;
}

/// Whether two boxes touch or overlap, as they are or moved by a period; brute force.
bool touch(const Mesh& mesh, const Extent& a, const Extent& b) {
    for (int axis = 0; axis < mesh.dims; ++axis) {
        const int period = component(mesh.roots, axis) << most;
        const bool wraps = mesh.boundary[static_cast<std::size_t>(2 * axis)] == Boundary::periodic;
        bool near = false;
        for (int shift = wraps ? -1 : 0; shift <= (wraps ? 1 : 0); ++shift)
            near = near || (component(a.low, axis) <= component(b.high, axis) + shift * period &&
                            component(b.low, axis) + shift * period <= component(a.high, axis));
        if (!near) return false;
    }
    return true;
}

/// By all pairs: no overlap, all of the box, and 2:1.
void expect_sound(const Tree& tree) {
    const auto all = extents(tree);
    double volume = 0;
    for (const auto& box : all) volume += std::pow(0.5, tree.mesh().dims * box.level);
    EXPECT_EQ(volume, static_cast<double>(tree.mesh().blocks()));
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = a + 1; b < all.size(); ++b) {
            const bool differ = std::abs(all[a].level - all[b].level) > 1;
            EXPECT_FALSE(differ && touch(tree.mesh(), all[a], all[b]));
        }
    EXPECT_TRUE(tree.is_balanced());
    EXPECT_TRUE(std::ranges::is_sorted(tree.leaves()));
}

class Forests : public ::testing::TestWithParam<int> {
  protected:
    std::mt19937 draw_{static_cast<unsigned>(GetParam())};

    int below(int n) { return static_cast<int>(draw_() % static_cast<unsigned>(n)); }

    Mesh random_mesh() {
        const int dims = 1 + GetParam() % 3;
        std::vector<int> roots;
        for (int axis = 0; axis < dims; ++axis) roots.push_back(1 + below(dims == 3 ? 2 : 4));
        return mesh_of(roots, below(2) == 0 ? Boundary::periodic : Boundary::outflow);
    }
    Tree random_tree(const Mesh& mesh) {
        Tree tree(mesh);
        for (int round = 0; round < most; ++round) {
            const int one_in = 2 + below(mesh.dims * 6);
            tree = tree.refined([&](NodeKey) { return below(one_in) == 0; }, most);
        }
        return tree;
    }
};

TEST_P(Forests, AreBalancedAndFilled) {
    const auto mesh = random_mesh();
    auto tree = random_tree(mesh);
    if (tree.size() > 1500) return;  // all pairs of them take long
    expect_sound(tree);
    const auto before = tree.size();
    tree = tree.coarsened([&](NodeKey) { return below(8) != 0; });
    EXPECT_LE(tree.size(), before);
    expect_sound(tree);
}

/// A forest that all want to be coarser becomes its roots, level by level.
TEST_P(Forests, BecomeRootsAgain) {
    const auto mesh = random_mesh();
    auto tree = random_tree(mesh);
    for (int round = 0; round < most; ++round) tree = tree.coarsened([](NodeKey) { return true; });
    EXPECT_EQ(tree.size(), mesh.blocks());
    EXPECT_EQ(tree.deepest_level(), 0);
}

TEST_P(Forests, SplitNoMoreThanBalanceNeeds) {
    const auto mesh = random_mesh();
    const auto tree = random_tree(mesh);
    std::vector<NodeKey> wanted;
    const auto finer = tree.refined(
        [&](NodeKey key) {
            if (below(20) != 0) return false;
            wanted.push_back(key);
            return true;
        },
        most);
    // Each leaf that is new without being wanted has a neighbour two levels below its parent's.
    for (std::int64_t k = 0; k < tree.size(); ++k) {
        const auto key = tree.key(k);
        if (finer.find(key) >= 0 || std::ranges::find(wanted, key) != wanted.end()) continue;
        bool is_needed = false;
        for (std::int64_t other = 0; other < finer.size() && !is_needed; ++other) {
            if (finer.level(other) != tree.level(k) + 2) continue;
            for (const auto& direction : directions(mesh.dims)) {
                const auto beside = finer.neighbour(finer.key(other), direction);
                if (beside.bits() != 0 && beside.above(key.depth()) == key) is_needed = true;
            }
        }
        EXPECT_TRUE(is_needed);
    }
}

TEST_P(Forests, AreReadAsTheyWereWritten) {
    const auto mesh = random_mesh();
    const auto tree = random_tree(mesh);
    std::vector<std::uint64_t> bits;
    for (const auto key : tree.leaves()) bits.push_back(key.bits());
    const auto again = Tree::read(mesh, bits);
    EXPECT_TRUE(std::ranges::equal(again.leaves(), tree.leaves()));
    const auto refused = [&](std::vector<std::uint64_t> other) {
        EXPECT_THROW(Tree::read(mesh, other), core::FileError);
    };
    const auto one = static_cast<std::size_t>(below(static_cast<int>(bits.size())));
    auto other = bits;
    other.erase(other.begin() + static_cast<std::ptrdiff_t>(one));
    refused(other);
    other = bits;
    other.insert(other.begin() + static_cast<std::ptrdiff_t>(one), bits[one]);
    refused(other);
    for (int k = 0; k < 64; ++k) {
        other = bits;
        other[one] ^= std::uint64_t{1} << k;
        refused(other);
    }
    if (bits.size() > 1) {
        other = bits;
        std::swap(other.front(), other.back());
        refused(other);
    }
}

TEST_P(Forests, CoveringFindsTheLeafOfEachNode) {
    const auto mesh = random_mesh();
    const auto tree = random_tree(mesh);
    const int depth = depth_of(mesh.roots) + most;
    for (int k = 0; k < 200; ++k) {
        core::Vec3i place{};
        for (int axis = 0; axis < mesh.dims; ++axis)
            component(place, axis) = below(component(mesh.roots, axis) << most);
        const auto leaf = tree.covering({place, depth});
        ASSERT_GE(leaf, 0);
        EXPECT_EQ(NodeKey(place, depth).above(tree.key(leaf).depth()), tree.key(leaf));
    }
}

INSTANTIATE_TEST_SUITE_P(Random, Forests, ::testing::Range(0, 60));

TEST(NodeKeyFamily, ParentsAndChildren) {
    std::mt19937 draw(3);
    for (int k = 0; k < 1000; ++k) {
        const int depth = static_cast<int>(draw() % 20);
        const auto along = [&] { return static_cast<int>(draw() % (1u << depth)); };
        const core::Vec3i place{along(), along(), along()};
        const NodeKey key(place, depth);
        for (int corner = 0; corner < 8; ++corner) {
            const core::Vec3i below{2 * place.x + (corner & 1), 2 * place.y + (corner >> 1 & 1),
                                    2 * place.z + (corner >> 2)};
            EXPECT_EQ(key.child(corner), NodeKey(below, depth + 1));
            EXPECT_EQ(key.child(corner).parent(), key);
            EXPECT_EQ(key.child(corner).corner(), corner);
        }
        for (int above = 0; above <= depth; ++above) {
            const int by = depth - above;
            EXPECT_EQ(key.above(above),
                      NodeKey({place.x >> by, place.y >> by, place.z >> by}, above));
        }
    }
}

TEST(TreeOfRegions, HasLevelsOfTwentyBitsAndTellsItsSizeBefore) {
    const auto mesh = mesh_of({3, 2}, Boundary::outflow);  // roots of depth 2
    const auto tree_to = [&](int level, const auto& told) {
        const RefinedBox corner[] = {{{0, 0, 0}, {1e-9, 1e-9, 1}, level}};
        return tree_of(mesh, corner, told);
    };
    const auto nothing = [](std::int64_t) {};
    EXPECT_EQ(tree_to(18, nothing).deepest_level(), 18);
    EXPECT_TRUE(tree_to(18, nothing).is_balanced());
    EXPECT_THROW(tree_to(19, nothing), core::InputError);
    EXPECT_THROW(tree_to(-1, nothing), core::InputError);
    std::vector<std::int64_t> told;
    tree_to(2, [&](std::int64_t n) { told.push_back(n); });
    EXPECT_EQ(told, (std::vector<std::int64_t>{6, 9, 12}));
    EXPECT_THROW(tree_to(2,
                         [](std::int64_t n) {
                             if (n > 10) throw core::InputError("no", "room", "there");
                         }),
                 core::InputError);
}

}  // namespace
}  // namespace aureole::amr
