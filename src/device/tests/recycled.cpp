// SPDX-License-Identifier: Apache-2.0
#include "device/recycled.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <thread>
#include <vector>

#include "device/tests/devices.hpp"

namespace aureole::device {
namespace {

struct Thing {
    std::array<int, 9> numbers;
};

std::shared_ptr<Thing> make(int number) {
    return std::allocate_shared<Thing>(Recycled<Thing>(), Thing{{number}});
}

TEST(Recycling, TheNextObjectHasTheMemoryOfTheLast) {
    auto first = make(1), second = make(2);
    EXPECT_NE(first, second);
    const Thing* const was[] = {first.get(), second.get()};
    second.reset(), first.reset();
    first = make(3);
    EXPECT_EQ(first.get(), was[0]);
    EXPECT_EQ(make(4).get(), was[1]);
    EXPECT_EQ(first->numbers[0], 3);
}

TEST(Recycling, ObjectsMayEndOnOtherThreads) {
    for (int round = 0; round < 20; ++round) {
        std::vector<std::shared_ptr<Thing>> things;
        for (int k = 0; k < 100; ++k) things.push_back(make(k));
        std::thread other([mine = std::move(things)]() mutable {
            for (int k = 0; k < 100; ++k) {
                EXPECT_EQ(mine[k]->numbers[0], k);
                mine[k] = make(k + 1);
            }
        });
        for (int k = 0; k < 100; ++k) EXPECT_EQ(make(k)->numbers[0], k);
        other.join();
    }
}

TEST(Recycling, RecyclersOfJobsHoldNothingElse) {
    std::shared_ptr<Thing> kept;
    std::thread([&] { kept = make(1); }).join();
    std::vector<Recycler::Handle> all;
    for (int k = 0; k < 20; ++k) all.push_back(Recycler::borrow(Recycler::Holds::jobs));
    void* const job = Recycler::allocate(all[0].get(), 100);
    new (job) const void*(job);
    std::vector<void*> found;
    for (const auto& each : all) each->each_in_use([&](void* block) { found.push_back(block); });
    EXPECT_NE(std::find(found.begin(), found.end(), job), found.end());
    EXPECT_EQ(std::find(found.begin(), found.end(), static_cast<void*>(kept.get())), found.end());
    for (void* block : found) {
        const auto at = reinterpret_cast<std::uintptr_t>(block);
        const auto thing = reinterpret_cast<std::uintptr_t>(kept.get());
        EXPECT_FALSE(at <= thing && thing < at + 64) << "the block of a thread that ended";
    }
    Recycler::release(all[0].get(), job);
}

TEST(Recycling, MemoryOfAThreadThatEndedIsUsedAgain) {
    std::shared_ptr<Thing> kept;
    const void *was = nullptr, *is = nullptr;
    std::thread([&] {
        kept = make(1);
        was = make(2).get();
    }).join();
    EXPECT_EQ(kept->numbers[0], 1);
    kept.reset();
    std::thread([&] { is = make(3).get(); }).join();
    EXPECT_EQ(is, was);
}

TEST(Recycling, HoldsForEvents) {
    Device device = testing::make_device({.clocked = true});
    Queue queue(device);
    const void* const first = queue.record().state().get();
    EXPECT_EQ(queue.record().state().get(), first);
}

}  // namespace
}  // namespace aureole::device
