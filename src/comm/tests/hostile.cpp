// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "comm/late_publisher.hpp"
#include "comm/tests/variable.hpp"
#include "comm/world.hpp"
#include "core/error.hpp"

// Ranks whose words and copies come late, as they may on other machines.
namespace aureole::comm {
namespace {

using testing::Variable;

TEST(LatePublisher, KeepsTheOrderOfEachChannelAndLetsThemOvertakeEachOther) {
    constexpr int channels = 3, each = 2000;
    std::vector<std::array<int, 2>> done;  // channel, number
    std::mutex mutex;
    {
        LatePublisher late(7, channels);
        for (int k = 0; k < each; ++k)
            for (int c = 0; c < channels; ++c)
                late.publish(c, [&, c, k] {
                    const std::scoped_lock lock(mutex);
                    done.push_back({c, k});
                });
    }
    ASSERT_EQ(done.size(), std::size_t(channels) * each);
    std::array<int, channels> next{};
    int overtaken = 0;
    for (const auto& [c, k] : done) {
        ASSERT_EQ(k, next[std::size_t(c)]++);
        overtaken += k > *std::min_element(next.begin(), next.end());
    }
    EXPECT_GT(overtaken, 0);
}

TEST(HostileRanks, AreAskedForByTheEnvironment) {
    const Variable none("AUREOLE_HOSTILE", "0");
    {
        const Variable seed("AUREOLE_HOSTILE_RANKS", "12");
        EXPECT_EQ(LatePublisher::seed_of_environment(), 12u);
    }
    unsetenv("AUREOLE_HOSTILE_RANKS");
    EXPECT_EQ(LatePublisher::seed_of_environment(), 0u);
    const Variable hostile("AUREOLE_HOSTILE", "1");
    EXPECT_EQ(LatePublisher::seed_of_environment(), 1u);
}

/// Where ranks 0 and 1 write for rank 1 and 2, in the heap of each.
struct Box {
    alignas(64) std::uint64_t word;
    alignas(64) std::uint64_t number;
};

// Rank 0 puts a number and its word to rank 1, then a word to rank 2, which then writes to rank 1.
TEST(HostileRanks, GiveOnesWordsInOrderAndOthersNot) {
    const Variable seed("AUREOLE_HOSTILE_RANKS", "5");
    int overtaken = 0;
    World::of_threads(3, [&](World& world) {
        const auto room = world.heap().reserve<Box>(2);
        std::vector<Span<Box>> rooms(3);
        Bytes bytes(sizeof room);
        std::memcpy(bytes.data(), &room, sizeof room);
        const std::vector<Parcel> out{{0, bytes}, {1, bytes}, {2, bytes}};
        for (const auto& parcel : world.exchange(out))
            std::memcpy(&rooms[std::size_t(parcel.rank)], parcel.bytes.data(), sizeof room);
        const auto box = [&](int rank, int from) {
            return world.heap(rank).at(rooms[std::size_t(rank)]) + from;
        };
        for (std::uint64_t round = 1; round <= 600; ++round) {
            const Word word = Word::of(round);
            if (world.rank() == 0) {
                std::uint64_t number = 17 * round;
                auto* const to = reinterpret_cast<std::byte*>(&box(1, 0)->number);
                world.put(to, std::as_bytes(std::span(&number, 1)), 1);
                number = 0;  // it was put, whatever follows
                world.publish(&box(1, 0)->word, word, 1);
                world.publish(&box(2, 0)->word, word, 2);
            }
            if (world.rank() == 2) {
                world.wait_for(&box(2, 0)->word, round, 0);
                world.publish(&box(1, 1)->word, word, 1);
            }
            if (world.rank() == 1) {
                world.wait_for(&box(1, 1)->word, round, 2);
                overtaken += look(&box(1, 0)->word).epoch() < round;
                world.wait_for(&box(1, 0)->word, round, 0);
                ASSERT_EQ(box(1, 0)->number, 17 * round);
            }
            world.barrier();
        }
    });
    EXPECT_GT(overtaken, 0);
}

class HostileRanksOf : public ::testing::TestWithParam<int> {};

// All kinds of messages and sums, where hardly anything fits into rings.
TEST_P(HostileRanksOf, SendAndSum) {
    const Variable seed("AUREOLE_HOSTILE_RANKS", std::to_string(GetParam()).c_str());
    for (const int ranks : {2, 3, 8})
        World::of_threads(ranks, [](World& world) {
            const int next = (world.rank() + 1) % world.size();
            const int before = (world.rank() + world.size() - 1) % world.size();
            for (const std::size_t bytes : {0, 1, 48, 49, 63, 64, 65, 3000, 40'000}) {
                Bytes mine(bytes, std::byte(world.rank() + 1)), theirs(bytes);
                world.pass(next, mine, before, theirs);
                std::fill(mine.begin(), mine.end(), std::byte{});
                ASSERT_EQ(theirs, Bytes(bytes, std::byte(before + 1)));
                const int sum = world.combine(world.rank(), std::plus<>());
                ASSERT_EQ(sum, world.size() * (world.size() - 1) / 2);
            }
        });
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostileRanksOf, ::testing::Values(1, 2, 3),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace aureole::comm
