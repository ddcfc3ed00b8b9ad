// SPDX-License-Identifier: Apache-2.0
// Before ranks of a node send each other messages from devices: who may, asked and answered by
// several threads. Threads of the test play the other ranks.
#include <gtest/gtest.h>
#include <sched.h>

#include <vector>

#include "preload/envelope.hpp"
#include "preload/shared_memory.hpp"
#include "preload/tests/device_memory.hpp"
#include "preload/tests/one_node.hpp"
#include "preload/tests/together.hpp"
#include "preload/watch.hpp"

namespace aureole::preload {
namespace {

class SharedOffers : public Threads {
  protected:
    void SetUp() override { OneNode::get(); }
};

TEST_P(SharedOffers, AreMadeForEachDeviceToEachRankOnce) {
    const int device = GetParam(), threads = GetParam();  // a new device for each test
    OneNode& ranks = OneNode::get();
    const auto offers_of = [&](int rank) {
        int n = 0;
        for (const Offer& offer : ranks.page(rank).offers)
            if (offer.answer != Offer::Answer::none && offer.device == device) ++n;
        return n;
    };
    Memory memory;
    std::atomic<long> read = 0;
    together(2 * threads, [&](int thread) {
        const int rank = 1 + thread / 2 % 2;
        if (thread % 2 == 0) {
            Allocation at = driver().at(device);
            for (int turn = 0; turn < 20; ++turn) {
                std::vector<Block> blocks{{one_byte(), Memory::bytes, 0, 0}};
                auto payload = std::make_unique<Staged>(memory.data, at, std::move(blocks),
                                                        Staged::Form::apart);
                EXPECT_EQ(Envelope::make(std::move(payload), {rank, 0, abi().comm_world}), nullptr);
            }
            return;
        }
        for (const Offer* asked = nullptr; asked == nullptr;
             sched_yield())  // it looks at the trial
            for (const Offer& offer : ranks.page(rank).offers)
                if (offer.answer == Offer::Answer::asked && offer.device == device) asked = &offer;
        const auto& trial = ranks.own().trials[static_cast<std::size_t>(device)];
        EXPECT_NE(trial.id, 0u);
        read += static_cast<long>(trial.size > 0);
    });
    EXPECT_EQ(read, threads);
    EXPECT_EQ(offers_of(1), 1);
    EXPECT_EQ(offers_of(2), threads > 1 ? 1 : 0);
}

TEST_P(SharedOffers, AreAnsweredOnce) {
    constexpr std::uint32_t offers = 64;
    const int threads = GetParam();
    OneNode& ranks = OneNode::get();
    Page& own = ranks.own();
    own.offers_made = 0;
    for (Offer& offer : own.offers) offer.answer = Offer::Answer::none;
    Memory trial;
    for (const int rank : {1, 2}) {
        ranks.page(rank).trials = {};
        ranks.page(rank).trials[0] = driver().export_handle(driver().attributes(trial.data));
        imports().drop_all(rank);
    }
    const long opened = driver().opened;
    Watch one;
    EXPECT_TRUE(one.turn_on());
    together(2 * threads, [&](int thread) {
        if (thread < threads) {  // of other ranks, which ask
            for (;;) {
                const std::uint32_t k = own.offers_made.fetch_add(1);
                if (k >= offers) return;
                Offer& offer = own.offers[k];
                offer.from = 1 + static_cast<int>(k % 2);
                offer.device = k % 3 == 0 ? 0 : Page::devices_n;
                offer.answer = Offer::Answer::asked;
            }
        }
        while (own.offers[offers - 1].answer == Offer::Answer::none ||
               own.offers[offers - 1].answer == Offer::Answer::asked) {
            one.see(driver().at());
            sched_yield();
        }
    });
    int yes = 0, no = 0;
    for (std::uint32_t k = 0; k < offers; ++k) {
        const auto answer = own.offers[k].answer.load();
        EXPECT_EQ(answer, k % 3 == 0 ? Offer::Answer::yes : Offer::Answer::no) << k;
        ++(answer == Offer::Answer::yes ? yes : no);
    }
    EXPECT_EQ(yes + no, static_cast<int>(offers));
    EXPECT_EQ(driver().opened - opened, 2);  // one trial of each rank
    for (const int rank : {1, 2}) {
        EXPECT_TRUE(one.is_answered(rank));
        imports().drop_all(rank);
    }
    own.offers_made = 0;
}

TEST_P(SharedOffers, AreTakenOnlyIfNoReceiveIsUnwatched) {
    constexpr int turns = 400;
    const int threads = GetParam();
    OneNode::get();
    for (int round = 0; round < 8; ++round) {
        Watch one;
        std::atomic<long> unwatched = 0, open_when_on = 0, watched = 0;
        std::atomic<bool> is_on = false;
        together(threads + 1, [&](int thread) {
            if (thread == threads) {
                while (!one.turn_on()) sched_yield();
                open_when_on = unwatched.load();
                is_on = true;
                return;
            }
            for (int turn = 0; turn < turns; ++turn) {
                const bool was_on = is_on;
                if (one.begin_receive()) {
                    ++watched;
                    continue;
                }
                EXPECT_FALSE(was_on);
                ++unwatched;
                --unwatched;
                one.end_unwatched();
            }
        });
        EXPECT_EQ(open_when_on, 0);
        EXPECT_TRUE(one.begin_receive());
    }
}

INSTANTIATE_TEST_SUITE_P(Numbers, SharedOffers, testing::Values(1, 2, 4), name_of_threads);

}  // namespace
}  // namespace aureole::preload
