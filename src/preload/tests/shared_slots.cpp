// SPDX-License-Identifier: Apache-2.0
// What ranks of a node write into each other's pages: slots of messages, and what was freed.
// Threads of the test play the other ranks.
#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "preload/arrival.hpp"
#include "preload/envelope.hpp"
#include "preload/shared_memory.hpp"
#include "preload/tests/device_memory.hpp"
#include "preload/tests/one_node.hpp"
#include "preload/tests/together.hpp"

namespace aureole::preload {
namespace {

class SharedSlots : public Threads {
  protected:
    void SetUp() override { OneNode::get(); }
};

/// Headers on their way, as MPI carries them.
class Wire {
  public:
    void send(const Header& header) {
        const std::lock_guard guard(lock_);
        on_their_way_.push_back(header);
    }
    std::optional<Header> receive() {
        const std::lock_guard guard(lock_);
        if (on_their_way_.empty()) return {};
        const Header first = on_their_way_.front();
        on_their_way_.pop_front();
        return first;
    }

  private:
    std::mutex lock_;
    std::deque<Header> on_their_way_;
};

/// The receiver of what rank 0 sends: takes the payload as Arrival does.
std::uint64_t fetch_by_hand(Slot& slot, const Header& header) {
    EXPECT_EQ(slot.serial, header.serial);
    EXPECT_EQ(slot.size, static_cast<std::uint64_t>(Memory::bytes));
    Location at;
    for (;; sched_yield()) {
        Phase phase = slot.phase.load(std::memory_order_acquire);
        if (phase == Phase::moved) {
            at = slot.moved;
            break;
        }
        if (phase == Phase::open && slot.phase.compare_exchange_strong(phase, Phase::fetching)) {
            at = slot.location;
            break;
        }
        EXPECT_TRUE(phase == Phase::open || phase == Phase::moving);
    }
    const std::byte* base = nullptr;
    std::memcpy(&base, at.handle.bytes.data(), sizeof base);
    const auto* const data = reinterpret_cast<const std::uint64_t*>(base + at.offset);
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < Memory::n; ++k) sum += data[k];
    slot.phase.store(Phase::taken, std::memory_order_release);
    return sum;
}

/// Waits until rank 1 takes messages from this rank's device.
void ask_rank_1() {
    Page& page = OneNode::get().page(1);
    Memory memory;
    for (int tries = 0; tries < 2; ++tries) {
        auto envelope = Envelope::make(memory.staged(), {1, 0, abi().comm_world});
        if (envelope == nullptr)
            for (Offer& offer : page.offers)
                if (offer.answer == Offer::Answer::asked) offer.answer = Offer::Answer::yes;
    }
}

TEST_P(SharedSlots, ThatAreFullAreFetchedOrMovedOnce) {
    constexpr int turns = 60;
    const int threads = GetParam();
    ask_rank_1();
    Wire wire;
    std::atomic<int> sending = threads;
    std::atomic<std::uint64_t> sent = 0, fetched = 0, messages = 0;
    together(2 * threads, [&](int thread) {
        std::mt19937 random(static_cast<unsigned>(thread));
        if (thread >= threads) {  // a receiver on rank 1, which is late now and then
            for (;;) {
                const bool are_all_sent = sending == 0;
                const auto header = wire.receive();
                if (!header) {
                    if (are_all_sent) return;
                    sched_yield();
                    continue;
                }
                if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
                Slot& slot = OneNode::get().own().slots[static_cast<std::size_t>(header->slot)];
                fetched += fetch_by_hand(slot, *header);
            }
        }
        Memory memory;
        for (int turn = 0; turn < turns; ++turn) {
            const std::uint64_t number = random();
            memory.fill(number);
            std::unique_ptr<Envelope> envelope;
            while (envelope == nullptr) {  // all slots are in use, until a receiver has taken one
                sched_yield();
                envelope = Envelope::make(memory.staged(), {1, turn, abi().comm_world});
            }
            Header header;
            std::memcpy(&header, envelope->header(), sizeof header);
            if (turn % 8 == 7) continue;  // withdrawn
            sent += number * Memory::n, ++messages;
            wire.send(header);
            envelope->finish();
        }
        --sending;
    });
    EXPECT_EQ(fetched, sent);
    EXPECT_EQ(messages, static_cast<std::uint64_t>(threads * (turns - turns / 8)));
    for (const Slot& slot : OneNode::get().own().slots)
        EXPECT_TRUE(slot.phase == Phase::free || slot.phase == Phase::taken);
    EXPECT_EQ(driver().misuses, 0);
}

TEST_P(SharedSlots, OfANeighbourGiveEachPayloadToOneReceiver) {
    constexpr int turns = 120;
    const int threads = GetParam();
    Page& page = OneNode::get().page(1);
    Wire wire;
    std::atomic<int> sending = 1;
    std::atomic<std::uint64_t> sent = 0, fetched = 0, lost = 0, withdrawn = 0;
    std::vector<std::unique_ptr<Memory>> memories;
    for (int k = 0; k < 6; ++k) memories.push_back(std::make_unique<Memory>());
    together(threads + 1, [&](int thread) {
        std::mt19937 random(static_cast<unsigned>(thread));
        if (thread == 0) {  // rank 1, which sends from one slot for each of its allocations
            for (int turn = 0; turn < turns; ++turn) {
                const std::size_t k = random() % memories.size();
                Slot& slot = page.slots[k];
                Phase now = slot.phase;
                while (now != Phase::free && now != Phase::taken) sched_yield(), now = slot.phase;
                const std::uint64_t number = random();
                driver().release(std::exchange(memories[k]->data, nullptr), driver().at());
                memories[k]->data =
                    static_cast<std::uint64_t*>(driver().allocate(Memory::bytes, driver().at()));
                memories[k]->fill(number);
                ++slot.serial;
                slot.to = 0, slot.tag = turn, slot.size = Memory::bytes;
                const Allocation at = driver().attributes(memories[k]->data);
                slot.location = {driver().export_handle(at), 0, -1};
                slot.phase.store(Phase::open, std::memory_order_release);
                wire.send({page.token, 1, static_cast<std::int32_t>(k), slot.serial});
                if (turn % 4 == 3) {  // its call failed
                    while (random() % 3 != 0) sched_yield();
                    Phase open = Phase::open;
                    if (slot.phase.compare_exchange_strong(open, Phase::taken)) {
                        ++withdrawn;
                        continue;
                    }
                }
                sent += number;
            }
            --sending;
            return;
        }
        Memory into;
        std::array<std::byte, Header::most> message{};
        for (;;) {
            const bool are_all_sent = sending == 0;
            const auto header = wire.receive();
            if (!header) {
                if (are_all_sent) return;
                sched_yield();
                continue;
            }
            std::memcpy(message.data(), &*header, sizeof *header);
            try {
                auto arrival = Arrival::in(message.data(), Header::length(header->slot));
                ASSERT_TRUE(arrival);
                into.fill(0);
                const auto staged = into.staged();
                arrival->fetch(*staged, staged->size());
                fetched += into.data[0];
                EXPECT_EQ(into.data[0], into.data[Memory::n - 1]);
            } catch (const core::RankError&) {
                ++lost;
            }
        }
    });
    EXPECT_EQ(fetched, sent);
    EXPECT_EQ(lost, withdrawn);
    imports().drop_all(1);
    EXPECT_EQ(driver().mapped(), 0u);
    EXPECT_EQ(driver().misuses, 0);
}

/// A message of which the sender wants to be rid while the receiver takes it.
TEST_P(SharedSlots, AreDroppedOnlyWhenNobodyFetches) {
    constexpr int turns = 200;
    OneNode::get();
    const auto other = node().neighbour(1);
    const int receivers = GetParam();
    std::atomic<long> fetched = 0, withdrawn = 0;
    Slot slot;
    std::uint64_t payload = 0;
    std::atomic<int> turn = 0;
    together(receivers + 1, [&](int thread) {
        for (int k = 0; k < turns; ++k) {
            if (thread == 0) {
                payload = static_cast<std::uint64_t>(k) + 1;
                slot.phase = Phase::open;
                turn = k + 1;
                for (int wait = k % 8; wait > 0; --wait) sched_yield();
                drop(slot, Phase::fetching, *other);
                EXPECT_EQ(slot.phase, Phase::taken);
                const std::uint64_t before = payload;
                payload = 0;  // nobody reads it any more
                if (before == static_cast<std::uint64_t>(k) + 1) ++withdrawn;
                continue;
            }
            while (turn < k + 1) sched_yield();
            Phase open = Phase::open;
            if (!slot.phase.compare_exchange_strong(open, Phase::fetching)) continue;
            EXPECT_NE(payload, 0u);
            ++payload;
            ++fetched;
            slot.phase.store(Phase::taken, std::memory_order_release);
        }
    });
    EXPECT_EQ(fetched + withdrawn, turns);
}

/// Rank 1 sends what is in `memory` from a slot.
Header send_by_hand(std::size_t slot_number, Memory& memory) {
    Page& page = OneNode::get().page(1);
    Slot& slot = page.slots[slot_number];
    ++slot.serial;
    slot.to = 0, slot.size = Memory::bytes;
    slot.location = {driver().export_handle(driver().attributes(memory.data)), 0, -1};
    slot.phase = Phase::open;
    return {page.token, 1, static_cast<std::int32_t>(slot_number), slot.serial};
}

std::optional<Arrival> arrival_of(const Header& header) {
    std::array<std::byte, Header::most> message{};
    std::memcpy(message.data(), &header, sizeof header);
    return Arrival::in(message.data(), Header::length(header.slot));
}

TEST(SlotsOfANeighbour, GiveALateReceiverNothingOfTheNextMessage) {
    OneNode::get();
    Memory first, next, into;
    first.fill(1), next.fill(2), into.fill(3);
    Slot& slot = OneNode::get().page(1).slots[9];
    for (const bool is_fetched : {false, true}) {
        auto late = arrival_of(send_by_hand(9, first));
        ASSERT_TRUE(late);
        slot.phase = Phase::taken;  // its sender has withdrawn it
        auto now = arrival_of(send_by_hand(9, next));
        ASSERT_TRUE(now);
        const auto staged = into.staged();
        if (is_fetched)
            EXPECT_THROW(late->fetch(*staged, Memory::bytes), core::RankError);
        else
            late->discard();
        EXPECT_EQ(into.data[0], 3u);
        EXPECT_EQ(slot.phase, Phase::open);
        now->fetch(*staged, Memory::bytes);
        EXPECT_EQ(into.data[Memory::n - 1], 2u);
        EXPECT_EQ(slot.phase, Phase::taken);
        into.fill(3);
    }
    imports().drop_all(1);
}

TEST(SlotsOfANeighbour, AreReadBesideAllThatWasFreedMeanwhile) {
    constexpr std::uint64_t mapped = 20, told = 200, meanwhile = 100;
    constexpr std::uint64_t first_id = 1 << 20;  // of rank 1
    Page& page = OneNode::get().page(1);
    Memory memory, into;
    const auto tell = [&](std::uint64_t id) {
        const std::uint64_t k = page.freed;
        page.freed_ids[k % Page::freed_n] = id;
        page.freed = k + 1;
    };
    const auto fetch_one = [&] {
        const auto staged = into.staged();
        arrival_of(send_by_hand(10, memory))->fetch(*staged, Memory::bytes);
    };
    fetch_one();
    for (std::uint64_t k = 0; k < mapped; ++k) {
        auto handle = driver().export_handle(driver().attributes(memory.data));
        handle.id = first_id + k;
        imports().map(1, handle, driver().at());
    }
    EXPECT_EQ(driver().mapped(), mapped + 1);
    for (std::uint64_t k = 0; k < told; ++k) tell(first_id + k);
    bool is_first = true;
    driver().on_close = [&](std::uint64_t) {  // others come into the places of those being read
        if (std::exchange(is_first, false))
            for (std::uint64_t k = 0; k < meanwhile; ++k) tell(first_id + told + k);
    };
    fetch_one();
    driver().on_close = {};
    fetch_one();
    EXPECT_FALSE(is_first);
    EXPECT_EQ(driver().mapped(), 1u);  // of the payload itself
    imports().drop_all(1);
}

INSTANTIATE_TEST_SUITE_P(Numbers, SharedSlots, testing::Values(1, 2, 4), name_of_threads);

}  // namespace
}  // namespace aureole::preload
