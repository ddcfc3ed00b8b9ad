// SPDX-License-Identifier: Apache-2.0
#include "amr/tree/node_key.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace aureole::amr {
namespace {

using core::Vec3i;

TEST(NodeKey, TellsPlaceAndDepth) {
    std::mt19937 draw(1);
    for (int depth = 0; depth <= NodeKey::deepest; ++depth)
        for (int k = 0; k < 100; ++k) {
            const auto along = [&] { return static_cast<int>(draw() % (1u << depth)); };
            const Vec3i place{along(), along(), along()};
            const NodeKey key(place, depth);
            EXPECT_TRUE(key.is_valid());
            EXPECT_EQ(key.depth(), depth);
            EXPECT_EQ(key.place(), place);
            EXPECT_EQ(NodeKey(key.bits()), key);
        }
}

TEST(NodeKey, BitsThatNoNodeHasAreTold) {
    EXPECT_FALSE(NodeKey(0).is_valid());
    EXPECT_FALSE(NodeKey(2).is_valid());
    EXPECT_FALSE(NodeKey(4).is_valid());
    EXPECT_TRUE(NodeKey(8).is_valid());
    EXPECT_FALSE(NodeKey(std::uint64_t{1} << 61).is_valid());
    EXPECT_FALSE(NodeKey(~std::uint64_t{0} << 60).is_valid());
}

/// Both nodes' children of children, wherever they are, lie on one side of each other's.
TEST(NodeKey, SubtreesFollowEachOther) {
    const auto below = [](Vec3i of, int depth) {
        std::vector<NodeKey> all;
        for (int z = 0; z < 4; ++z)
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 4; ++x)
                    all.emplace_back(Vec3i{4 * of.x + x, 4 * of.y + y, 4 * of.z + z}, depth + 2);
        return all;
    };
    std::vector<std::pair<NodeKey, Vec3i>> nodes;
    for (int z = 0; z < 4; ++z)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x) nodes.emplace_back(NodeKey({x, y, z}, 2), Vec3i{x, y, z});
    std::ranges::sort(nodes, {}, &std::pair<NodeKey, Vec3i>::first);
    for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
        const auto here = below(nodes[k].second, 2), next = below(nodes[k + 1].second, 2);
        EXPECT_LT(*std::ranges::max_element(here), nodes[k + 1].first);
        EXPECT_LT(*std::ranges::max_element(here), *std::ranges::min_element(next));
    }
}

TEST(NodeKey, DepthOfRootsHoldsAllPlaces) {
    EXPECT_EQ(depth_of({1, 1, 1}), 0);
    EXPECT_EQ(depth_of({2, 1, 1}), 1);
    EXPECT_EQ(depth_of({3, 5, 1}), 3);
    EXPECT_EQ(depth_of({4, 4, 4}), 2);
    EXPECT_EQ(depth_of({1, 1, 1 << 20}), 20);
}

}  // namespace
}  // namespace aureole::amr
