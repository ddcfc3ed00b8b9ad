// SPDX-License-Identifier: Apache-2.0
// What is known of datatypes, and lists of their blocks on devices, in the hands of several
// threads.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>
#include <vector>

#include "preload/run_list.hpp"
#include "preload/tests/fake_mpi.hpp"
#include "preload/tests/shared_driver.hpp"
#include "preload/tests/together.hpp"

namespace aureole::preload {
namespace {

class SharedTypes : public Threads {
  protected:
    void SetUp() override { FakeMpi::get(); }
};

TEST_P(SharedTypes, AreTakenApartOnceForAll) {
    constexpr std::size_t n = 40;
    FakeMpi& fake = FakeMpi::get();
    const std::size_t before = fake.types();
    std::array<Handle, n> handles;
    for (std::size_t k = 0; k < n; ++k) handles[k] = fake.make_type(static_cast<int>(k) + 100);
    std::array<std::atomic<const Datatype*>, n> found{};
    together(GetParam(), [&](int) {
        for (std::size_t k = 0; k < n; ++k) {
            const auto type = datatype(handles[k]);
            EXPECT_EQ(type->size, static_cast<Count>(k) + 100);
            EXPECT_EQ(type->layout.size(), type->size);
            const Datatype* other = nullptr;
            if (!found[k].compare_exchange_strong(other, type.get())) {
                EXPECT_EQ(other, type.get()) << k;
            }
        }
    });
    // Each has one datatype of as many bytes; what a slower thread has made is freed.
    EXPECT_EQ(fake.types(), before + 2 * n);
    for (const Handle handle : handles) forget_datatype(handle), fake.free_type(handle);
    EXPECT_EQ(fake.types(), before);
    EXPECT_EQ(fake.misuses, 0);
}

TEST_P(SharedTypes, AreForgottenBeforeTheirHandlesComeAgain) {
    constexpr int turns = 300;
    FakeMpi& fake = FakeMpi::get();
    const std::size_t before = fake.types();
    const Handle common = fake.make_type(5000);
    std::atomic<Count> sum = 0, expected = 0;
    together(GetParam(), [&](int thread) {
        std::mt19937 random(static_cast<unsigned>(thread));
        for (int turn = 0; turn < turns; ++turn) {
            const int size = 3 + static_cast<int>(random() % 1000);
            const Handle own = fake.make_type(size);
            const auto kept = datatype(own);  // as a call that is still open keeps it
            sum += datatype(own)->size;
            sum += datatype(common)->size;
            expected += size + 5000;
            if (turn % 50 == 49) forget_datatype(common);  // somebody has looked at it again
            forget_datatype(own);
            fake.free_type(own);
            EXPECT_EQ(kept->size, size);
        }
    });
    EXPECT_EQ(sum, expected);
    forget_datatype(common), fake.free_type(common);
    EXPECT_EQ(fake.types(), before);
    EXPECT_EQ(fake.misuses, 0);
}

/// Blocks of one number each at growing distances; `seed` tells the types of a test apart.
std::shared_ptr<Datatype> list(int n, int seed) {
    auto type = std::make_shared<Datatype>();
    std::int64_t at = 0;
    for (int k = 0; k < n; ++k) {
        type->layout.add(Layout(8), 1, 0, at);
        at += 16 + 8 * ((k * k + seed) % 3);
    }
    type->size = 8 * n, type->extent = at;
    return type;
}

TEST_P(SharedTypes, HaveTheirListsWhileOthersAreRemoved) {
    constexpr int turns = 150, blocks = 30, types = 6;
    SharedDriver driver;
    driver.has_kernels = true;
    {
        RunLists lists(3 * (blocks + 1) * sizeof(drivers::Run));  // room for three of them
        std::vector<std::shared_ptr<Datatype>> common;
        for (int k = 0; k < types; ++k) common.push_back(list(blocks, k));
        std::atomic<long> copies = 0;
        together(GetParam(), [&](int thread) {
            std::mt19937 random(static_cast<unsigned>(thread));
            std::vector<std::uint64_t> dense(blocks), spread;
            for (int turn = 0; turn < turns; ++turn) {
                const bool is_own = turn % 5 == 0;
                const auto type = is_own ? list(blocks, thread) : common[random() % types];
                const auto found = lists.of(*type, driver.at());
                ASSERT_NE(found, nullptr);
                if (turn % 7 == 0) lists.forget(*type);  // `found` stays
                spread.assign(static_cast<std::size_t>(type->extent / 8), 0);
                std::size_t k = 0;
                type->layout.boxes(0, type->size, [&](const Box& box) {
                    each_row(box, [&](std::int64_t offset, std::int64_t) {
                        spread[static_cast<std::size_t>(offset / 8)] = ++k;
                    });
                });
                auto copy = found->copy(reinterpret_cast<std::byte*>(spread.data()),
                                        reinterpret_cast<std::byte*>(dense.data()), 0, type->size);
                copy.is_gather = true;
                driver.copy_runs(copy, driver.at());
                for (std::size_t at = 0; at < dense.size(); ++at) ASSERT_EQ(dense[at], at + 1);
                ++copies;
                if (is_own) lists.forget(*type);
            }
        });
        EXPECT_EQ(copies, long{GetParam()} * turns);
        EXPECT_LE(driver.live(), 3u);
        for (const auto& type : common) lists.forget(*type);
        EXPECT_EQ(driver.live(), 0u);
    }
    EXPECT_EQ(driver.misuses, 0);
}

INSTANTIATE_TEST_SUITE_P(Numbers, SharedTypes, testing::Values(1, 2, 4), name_of_threads);

}  // namespace
}  // namespace aureole::preload
