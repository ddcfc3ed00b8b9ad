// SPDX-License-Identifier: Apache-2.0
#include "comm/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/platform.hpp"

namespace aureole::comm {
namespace {

/// Fewer where each is slow.
unsigned repeats(unsigned n) { return core::sanitized ? n / 5 : n; }

Bytes bytes_of(const std::string& text) {
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
}
std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(WorldAlone, NeitherWaitsNorChangesAnything) {
    World world = World::alone();
    EXPECT_EQ(world.size(), 1);
    EXPECT_EQ(world.rank(), 0);
    EXPECT_EQ(world.combine(3.5, std::plus<>()), 3.5);
    Bytes text = bytes_of("as it is");
    world.broadcast(text, 0);
    EXPECT_EQ(text_of(text), "as it is");
    const std::vector<Parcel> out{{0, bytes_of("to myself")}};
    const auto in = world.exchange(out);
    ASSERT_EQ(in.size(), 1u);
    EXPECT_EQ(text_of(in[0].bytes), "to myself");
    world.barrier();
    EXPECT_NE(world.heap().at(world.heap().reserve<double>(3)), nullptr);
    EXPECT_THROW(world.fail("enough"), core::RankError);
}

class WorldOf : public ::testing::TestWithParam<int> {};

TEST_P(WorldOf, CombinesInTheOrderOfRanks) {
    // Sums of such numbers depend on their order.
    const auto number = [](int rank, int round) {
        std::mt19937 random(static_cast<unsigned>(1000 * round + rank));
        return std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(random), (rank * 37) % 60);
    };
    World::of_threads(GetParam(), [&](World& world) {
        for (int round = 0; round < 300; ++round) {
            double expected = number(0, round);
            for (int r = 1; r < world.size(); ++r) expected += number(r, round);
            const double sum = world.combine(number(world.rank(), round), std::plus<>());
            ASSERT_EQ(sum, expected) << "rank " << world.rank() << ", round " << round;
        }
    });
}

TEST_P(WorldOf, CombinesValuesOfManyLines) {
    struct Many {
        double of[250];
    };
    World::of_threads(GetParam(), [](World& world) {
        for (int round = 0; round < 50; ++round) {
            Many mine{};
            for (int k = 0; k < 250; ++k) mine.of[k] = 1000.0 * round + k + 0.001 * world.rank();
            const Many largest = world.combine(mine, [](Many a, const Many& b) {
                for (int k = 0; k < 250; ++k) a.of[k] = std::max(a.of[k], b.of[k]);
                return a;
            });
            for (int k = 0; k < 250; ++k)
                ASSERT_EQ(largest.of[k], 1000.0 * round + k + 0.001 * (world.size() - 1));
        }
    });
}

TEST_P(WorldOf, ExchangesParcelsOfAllSizes) {
    World::of_threads(GetParam(), [](World& world) {
        const auto text = [](int from, int to, int k, int round) {
            std::mt19937 random(static_cast<unsigned>(from + 50 * to + 2500 * k + 10000 * round));
            std::string s = std::to_string(from) + ">" + std::to_string(to);
            return s + std::string(random() % (round % 5 == 0 ? 40000 : 100), char('a' + k));
        };
        const auto parcels = [](int from, int to, int round) {
            return (from + 2 * to + round) % 4;
        };
        for (int round = 0; round < 20; ++round) {
            std::vector<Parcel> out;
            for (int to = world.size() - 1; to >= 0; --to)
                for (int k = 0; k < parcels(world.rank(), to, round); ++k)
                    out.push_back({to, bytes_of(text(world.rank(), to, k, round))});
            const auto in = world.exchange(out);
            std::size_t at = 0;
            for (int from = 0; from < world.size(); ++from)
                for (int k = 0; k < parcels(from, world.rank(), round); ++k, ++at) {
                    ASSERT_LT(at, in.size());
                    ASSERT_EQ(in[at].rank, from);
                    ASSERT_EQ(text_of(in[at].bytes), text(from, world.rank(), k, round));
                }
            ASSERT_EQ(at, in.size());
        }
    });
}

TEST_P(WorldOf, BroadcastsFromAnyRank) {
    World::of_threads(GetParam(), [](World& world) {
        for (int round = 0; round < 30; ++round) {
            const int root = round % world.size();
            const std::string text(static_cast<std::size_t>(round * round * 50), char('a' + root));
            Bytes bytes = world.rank() == root ? bytes_of(text) : bytes_of("something else");
            world.broadcast(bytes, root);
            ASSERT_EQ(text_of(bytes), text);
        }
    });
}

Bytes numbered(std::size_t bytes, unsigned seed) {
    Bytes out(bytes);
    std::mt19937 random(seed);
    for (auto& b : out) b = static_cast<std::byte>(random());
    return out;
}

TEST_P(WorldOf, SendsMessagesOfAllSizesInOrder) {
    if (GetParam() == 1) GTEST_SKIP() << "nobody to send to";
    // Sizes about those of lines, of chunks, and of pieces that both ranks copy.
    const std::vector<std::size_t> sizes{0,    1,    8,     47,    48,    49,      56,     103,
                                         104,  105,  1000,  1023,  1024,  1025,    2047,   2048,
                                         2049, 4097, 32767, 32768, 32769, 131'073, 300'000};
    World::of_threads(GetParam(), [&](World& world) {
        for (unsigned round = 0; round < repeats(30); ++round)
            for (const std::size_t bytes : sizes) {
                const auto of = [&](int rank) {
                    return numbered(bytes, 100 * round + static_cast<unsigned>(rank));
                };
                const int last = world.size() - 1;
                Bytes got(bytes);
                if (world.rank() == last) {
                    Bytes mine = of(last);
                    world.send(0, mine);
                    std::fill(mine.begin(), mine.end(),
                              std::byte{});  // it is sent, whatever follows
                }
                if (world.rank() == 0) {
                    world.receive(last, got);
                    ASSERT_EQ(got, of(last)) << bytes << " bytes, round " << round;
                }
            }
    });
}

TEST_P(WorldOf, SendsLongMessagesFromAndToHeaps) {
    if (GetParam() == 1) GTEST_SKIP() << "nobody to send to";
    World::of_threads(GetParam(), [](World& world) {
        constexpr std::int64_t bytes = 1'000'003;
        const auto room = world.heap().reserve<std::byte>(bytes);
        const std::span shared(world.heap().at(room), std::size_t{bytes});
        Bytes own(shared.size());
        for (unsigned from_heap = 0; from_heap < 2; ++from_heap)
            for (unsigned to_heap = 0; to_heap < 2; ++to_heap) {
                const Bytes text = numbered(own.size(), 2 * from_heap + to_heap);
                const std::span mine(own);
                if (world.rank() == 1) {
                    const auto from = from_heap ? shared : mine;
                    std::copy(text.begin(), text.end(), from.begin());
                    world.send(0, from);
                }
                if (world.rank() != 0) continue;
                const auto to = to_heap ? shared : mine;
                world.receive(1, to);
                ASSERT_TRUE(std::equal(text.begin(), text.end(), to.begin()));
            }
    });
}

// Sent and received at the same time.
TEST_P(WorldOf, MixesMessagesOfAllKinds) {
    if (GetParam() == 1) GTEST_SKIP() << "nobody to send to";
    World::of_threads(GetParam(), [](World& world) {
        const int next = (world.rank() + 1) % world.size();
        const int before = (world.rank() + world.size() - 1) % world.size();
        std::mt19937 random(7);
        for (unsigned k = 0; k < repeats(300); ++k) {
            constexpr std::size_t most[] = {8, 1024, 32768, 200'000};
            const std::size_t out = random() % most[random() % 4];
            const auto of = [&](int rank) {
                return numbered(out, 1000 * static_cast<unsigned>(rank) + k);
            };
            Bytes got(out);
            world.pass(next, of(world.rank()), before, got);
            ASSERT_EQ(got, of(before)) << out << " bytes, message " << k;
        }
    });
}

TEST_P(WorldOf, PassesLongMessagesAroundARing) {
    if (GetParam() == 1) GTEST_SKIP() << "nobody to send to";
    World::of_threads(GetParam(), [](World& world) {
        const int next = (world.rank() + 1) % world.size();
        const int before = (world.rank() + world.size() - 1) % world.size();
        Bytes mine = numbered(500'000, static_cast<unsigned>(world.rank())), theirs(mine.size());
        for (int k = 1; k <= world.size(); ++k) {
            world.pass(next, mine, before, theirs);
            mine.swap(theirs);
            const int owner = (world.rank() - k + world.size()) % world.size();
            ASSERT_EQ(mine, numbered(mine.size(), static_cast<unsigned>(owner)));
        }
    });
}

TEST_P(WorldOf, RefusesAMessageOfAnotherSize) {
    if (GetParam() == 1) GTEST_SKIP() << "nobody to send to";
    try {
        World::of_threads(GetParam(), [](World& world) {
            Bytes room(16);
            if (world.rank() == 1) world.send(0, Bytes(24));
            if (world.rank() == 0) world.receive(1, room);
            world.barrier();
        });
        FAIL() << "nothing was thrown";
    } catch (const core::RankError& error) {
        EXPECT_STREQ(error.what(), "rank 1 sent 24 bytes where rank 0 expected 16");
    }
}

TEST_P(WorldOf, RefusesRanksThatAreNotThere) {
    World::of_threads(GetParam(), [](World& world) {
        for (const int rank : {-1, world.size()}) {
            const std::vector<Parcel> out{{rank, Bytes(3)}};
            Bytes bytes(3);
            EXPECT_THROW(world.exchange(out), core::RankError);
            EXPECT_THROW(world.broadcast(bytes, rank), core::RankError);
        }
    });
}

// What was published before its rank ended is there, however late it is looked for.
TEST_P(WorldOf, MayEndAtOnceAfterTheLastCall) {
    for (int round = 0; round < 200; ++round)
        World::of_threads(GetParam(), [](World& world) { world.barrier(); });
}

TEST(WorldAlone, HasNobodyToSendTo) {
    World world = World::alone();
    EXPECT_THROW(world.send(0, Bytes(3)), core::RankError);
    EXPECT_THROW(world.send(1, Bytes(3)), core::RankError);
}

TEST_P(WorldOf, ReachesTheHeapsOfOthers) {
    World::of_threads(GetParam(), [](World& world) {
        const auto mine = world.heap().reserve<int>(100);
        for (int k = 0; k < 100; ++k) world.heap().at(mine)[k] = 1000 * world.rank() + k;
        Bytes span(sizeof mine);
        std::memcpy(span.data(), &mine, sizeof mine);
        std::vector<Parcel> out;
        for (int r = 0; r < world.size(); ++r) out.push_back({r, span});
        for (int r = 0; r < world.size(); ++r)
            world.hand_over(world.heap().at(mine), mine.n * std::int64_t{sizeof(int)}, r);
        for (const auto& [from, bytes] : world.exchange(out)) {
            Span<int> theirs;
            std::memcpy(&theirs, bytes.data(), sizeof theirs);
            ASSERT_EQ(theirs.rank, from);
            for (int k = 0; k < 100; ++k)
                ASSERT_EQ(world.heap(from).at(theirs)[k], 1000 * from + k);
        }
        world.barrier();
    });
}

TEST_P(WorldOf, FailsOnAllRanksWithTheFirstOnesWords) {
    if (GetParam() == 1) GTEST_SKIP() << "one rank fails alone";
    for (const int culprit : {0, GetParam() - 1}) {
        std::atomic<int> told = 0;
        try {
            World::of_threads(GetParam(), [&](World& world) {
                // A rank may still be in the first barrier when the culprit, past it, throws.
                try {
                    world.barrier();
                    if (world.rank() == culprit) throw core::InputError("the box is too small");
                    for (;;) world.barrier();
                } catch (const core::InputError& error) {
                    if (error.what() == std::string("the box is too small")) ++told;
                    throw;
                }
            });
            FAIL() << "nothing was thrown";
        } catch (const core::InputError& error) {
            EXPECT_STREQ(error.what(), "the box is too small");
        }
        EXPECT_EQ(told, GetParam());
    }
}

TEST_P(WorldOf, NamesARankThatEndedEarly) {
    if (GetParam() == 1) GTEST_SKIP() << "nobody waits";
    try {
        World::of_threads(GetParam(), [](World& world) {
            world.enter(Phase::forces, 12);
            world.barrier();
            if (world.rank() == 1) return;
            world.barrier();
        });
        FAIL() << "nothing was thrown";
    } catch (const core::RankError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("rank 1 ended"), std::string::npos) << text;
        EXPECT_NE(text.find("exchange of forces, step 12"), std::string::npos) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, WorldOf, ::testing::Values(1, 2, 3, 8),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace aureole::comm
