// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "comm/common.hpp"
#include "comm/control.hpp"
#include "comm/mirrors.hpp"
#include "comm/packet_queues.hpp"
#include "comm/tests/altered.hpp"
#include "comm/tests/variable.hpp"
#include "comm/world.hpp"
#include "core/error.hpp"

// Ranks that share no memory. All tests of world.cpp and hostile.cpp run on such ranks as well: see
// comm.apart in `ctest -N`.
namespace aureole::comm {
namespace {

using namespace std::chrono_literals;
using testing::Variable;

TEST(PacketQueues, KeepTheOrderOfEachSenderAndLetThemOvertakeEachOther) {
    constexpr int rounds = 300, each = 3;
    PacketQueues queues(3, 7);
    const auto mine = queues.of(0);
    const std::unique_ptr<Transport> senders[] = {queues.of(1), queues.of(2)};
    int next[2] = {}, overtaken = 0;
    for (int round = 0; round < rounds; ++round) {
        for (const auto& sender : senders)
            for (int k = 0; k < each; ++k) sender->send(0, bytes_of(each * round + k));
        for (int taken = 0; taken < 2 * each;) {
            const auto packet = mine->receive();
            if (!packet) {
                mine->sleep(1ms);
                continue;
            }
            ++taken;
            ASSERT_EQ(ParcelReader(*packet).value<int>(), next[packet->rank - 1]++);
            overtaken += next[1] > next[0] + 1;
        }
        EXPECT_FALSE(mine->receive());
    }
    EXPECT_GT(overtaken, 0);
}

TEST(RanksApart, FindWhatWasHandedOverAndNothingElse) {
    const Variable transport("AUREOLE_TRANSPORT", "messages");
    World::of_threads(3, [](World& world) {
        const int me = world.rank(), next = (me + 1) % 3, before = (me + 2) % 3;
        EXPECT_TRUE(world.has_memory_of(me));
        EXPECT_FALSE(world.has_memory_of(next));
        const auto rooms = world.all_gather(world.heap().reserve<std::int64_t>(8));
        const auto in = [&](int rank) {
            return world.heap(rank).at(rooms[static_cast<std::size_t>(rank)]);
        };
        // Into the next rank's memory, and of the own one for it.
        for (int k = 0; k < 4; ++k) in(next)[k] = 100 * me + k;
        for (int k = 4; k < 8; ++k) in(me)[k] = 100 * me + k;
        world.barrier();
        for (int k = 0; k < 4; ++k) EXPECT_EQ(in(me)[k], 0);
        for (int k = 4; k < 8; ++k) EXPECT_EQ(in(before)[k], 0);
        world.barrier();
        world.hand_over(in(next) + 1, 16, next);
        world.hand_over(in(me) + 5, 16, next);
        world.barrier();
        for (int k = 0; k < 4; ++k)
            EXPECT_EQ(in(me)[k], k == 1 || k == 2 ? 100 * before + k : 0) << k;
        for (int k = 4; k < 8; ++k)
            EXPECT_EQ(in(before)[k], k == 5 || k == 6 ? 100 * before + k : 0) << k;
        std::int64_t elsewhere = 3;
        EXPECT_THROW(world.hand_over(&elsewhere, 8, next), core::RankError);
        EXPECT_THROW(world.hand_over(in(before), 8, next), core::RankError);
        world.barrier();
    });
}

TEST(RanksApart, HaveNoMemoryInCommon) {
    const Variable transport("AUREOLE_TRANSPORT", "messages");
    EXPECT_THROW(World::of_threads(
                     2, [](World& world) { CommonMemory(world).block<double>(0, 100); }, 1 << 20),
                 core::InputError);
    EXPECT_NO_THROW(World::of_threads(
        1, [](World& world) { CommonMemory(world).block<double>(0, 100); }, 1 << 20));
}

/// Packets that are there at once; what is sent is kept.
class Fixed final : public Transport {
  public:
    std::deque<Bytes> packets;
    Bytes sent;

    int rank() const override { return 0; }
    int size() const override { return 2; }
    void send(int, Bytes packet) override { sent = std::move(packet); }
    std::optional<Parcel> receive() override {
        if (packets.empty()) return std::nullopt;
        Parcel first{1, packets.front()};
        packets.pop_front();
        return first;
    }
    void sleep(std::chrono::nanoseconds) override {}
};

// What no rank sends is refused, or stays within the heaps, which the sanitizer sees.
TEST(Mirrors, RefusePacketsThatNoRankSends) {
    constexpr std::size_t bytes = 1 << 16;
    std::vector<Heap> heaps;
    for (int r = 0; r < 2; ++r) heaps.push_back(Heap::of_threads(r, bytes));
    for (auto& heap : heaps) heap.reserve<Control>(1);
    auto own = std::make_unique<Fixed>();
    Fixed& transport = *own;
    Mirrors mirrors(std::move(own), heaps);
    mirrors.hand_over(heaps[0].base() + 8192, 100, 1);
    mirrors.hand_over(heaps[1].base() + bytes - 8, 8, 1);
    mirrors.send(1, Bytes(33));
    mirrors.flush();
    const Bytes sound = transport.sent;
    transport.packets = {sound};
    EXPECT_TRUE(mirrors.receive());
    EXPECT_EQ(mirrors.take_message(1).size(), 33u);
    EXPECT_FALSE(mirrors.receive());
    std::mt19937_64 random(3);
    int refused = 0;
    for (int round = 0; round < 5000; ++round) {
        transport.packets = {testing::altered(sound, round, random)};
        try {
            mirrors.receive();
        } catch (const core::RankError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace aureole::comm
