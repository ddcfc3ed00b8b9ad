// SPDX-License-Identifier: Apache-2.0
#include "halo/links.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"

// Links between ranks that are threads: what comes is what owners have, and what goes back is added
// up by them, whoever asked for what, time after time.
namespace aureole::halo {
namespace {

constexpr std::int64_t each = 40;  ///< tags of each rank

struct Numbers {
    std::int64_t tag, round;
};

class LinksOf : public ::testing::TestWithParam<int> {};

/// Tags of others that this rank asks for.
std::vector<std::int64_t> draw(comm::World& world, std::mt19937_64& engine, std::int64_t most) {
    std::vector<std::int64_t> tags(static_cast<std::size_t>(each * world.size()));
    std::iota(tags.begin(), tags.end(), std::int64_t(0));
    std::erase_if(tags, [&](auto tag) { return tag / each == world.rank(); });
    std::shuffle(tags.begin(), tags.end(), engine);
    tags.resize(
        static_cast<std::size_t>(std::uniform_int_distribution<std::int64_t>(0, most)(engine)));
    return tags;
}

TEST_P(LinksOf, BringValuesAndTakeThemBack) {
    comm::World::of_threads(GetParam(), [](comm::World& world) {
        Links links(world);
        std::mt19937_64 engine(static_cast<std::uint64_t>(7 + world.rank()));
        const std::int64_t first = each * world.rank();
        const auto owned = [&](std::int64_t tag) {
            return tag / each == world.rank() ? static_cast<std::int32_t>(tag - first) : -1;
        };
        for (int plan = 0; plan < 12; ++plan) {
            // Now and then nobody asks for anything, or one rank alone does.
            const std::int64_t most = plan % 4 == 3 && world.rank() != plan % 3 ? 0 : each;
            links.connect(draw(world, engine, most), owned);
            std::vector<std::int64_t> asked(each, 0);
            for (const auto& to : links.borrowers())
                for (const auto i : to.index) ++asked[static_cast<std::size_t>(i)];
            for (std::int64_t round = 0; round < 20; ++round) {
                std::int64_t came = 0;
                links.forward<Numbers>(
                    [&](std::int32_t i) {
                        return Numbers{first + i, round};
                    },
                    [&](std::int64_t k, const Numbers& got) {
                        ++came;
                        EXPECT_EQ(got.tag, links.tags()[static_cast<std::size_t>(k)]);
                        EXPECT_EQ(got.round, round);
                    });
                EXPECT_EQ(came, links.size());
                std::vector<std::int64_t> sum(each, 0);
                links.back<std::int64_t>(
                    [&](std::int64_t k) {
                        return round + links.tags()[static_cast<std::size_t>(k)];
                    },
                    [&](std::int32_t i, std::int64_t value) {
                        sum[static_cast<std::size_t>(i)] += value;
                    });
                for (std::int64_t i = 0; i < each; ++i)
                    EXPECT_EQ(sum[static_cast<std::size_t>(i)],
                              asked[static_cast<std::size_t>(i)] * (round + first + i));
            }
            if (plan % 5 == 4) links.clear();
        }
    });
}

TEST_P(LinksOf, RefuseWhatNobodyOwns) {
    EXPECT_THROW(comm::World::of_threads(GetParam(),
                                         [](comm::World& world) {
                                             Links links(world);
                                             std::vector<std::int64_t> wanted;
                                             if (world.rank() == 0) wanted.push_back(5);
                                             links.connect(wanted, [](std::int64_t) { return -1; });
                                         }),
                 core::RankError);
}

INSTANTIATE_TEST_SUITE_P(Ranks, LinksOf, ::testing::Values(2, 3, 8),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace aureole::halo
