// SPDX-License-Identifier: Apache-2.0
// The table of open calls, and the headers that they have received, in the hands of several
// threads.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "preload/matched.hpp"
#include "preload/requests.hpp"
#include "preload/tests/one_node.hpp"
#include "preload/tests/shared_driver.hpp"
#include "preload/tests/together.hpp"

namespace aureole::preload {
namespace {

class SharedRequests : public Threads {
  protected:
    void SetUp() override { OneNode::get(); }
};

/// Names by which a test knows its calls.
constexpr std::array<const char*, 4> names{"a", "b", "c", "d"};

TEST_P(SharedRequests, AreFoundByTheirHandlesAlone) {
    constexpr int turns = 4000, handles = 24;
    enum State { empty, added, busy };
    struct Entry {
        std::atomic<int> state = empty;
        const char* name = nullptr;
    };
    std::array<Entry, handles> entries;
    std::atomic<long> adds = 0, takes = 0;
    Requests& table = requests();
    EXPECT_TRUE(table.are_none());
    together(GetParam(), [&](int thread) {
        std::mt19937 random(static_cast<unsigned>(thread));
        for (int turn = 0; turn < turns; ++turn) {
            const auto k = random() % handles;
            const auto handle = static_cast<Handle>(k * 4 + 8);
            Entry& entry = entries[k];
            if (int now = empty; entry.state.compare_exchange_strong(now, busy)) {
                entry.name = names[random() % names.size()];
                EXPECT_EQ(table.find(handle), nullptr);
                table.add(handle, std::make_unique<Call>(entry.name));
                ++adds;
                entry.state = added;
            } else if (now = added; entry.state.compare_exchange_strong(now, busy)) {
                EXPECT_FALSE(table.are_none());
                Call* const found = table.find(handle);
                const auto taken = table.take(handle);
                ASSERT_NE(taken, nullptr);
                EXPECT_EQ(taken.get(), found);
                EXPECT_EQ(taken->name(), entry.name);
                EXPECT_EQ(table.take(handle), nullptr);
                ++takes;
                entry.state = empty;
            }
        }
    });
    long left = 0;
    for (std::size_t k = 0; k < handles; ++k)
        if (table.take(static_cast<Handle>(k * 4 + 8)) != nullptr) ++left;
    EXPECT_EQ(left, adds - takes);
    EXPECT_TRUE(table.are_none());
}

TEST_P(SharedRequests, ThatAreFreedCopyTheirDataOnce) {
    constexpr int turns = 60;
    constexpr std::size_t bytes = 24;
    SharedDriver driver;
    FakeMpi& fake = FakeMpi::get();
    const int threads = GetParam();
    std::vector<std::array<unsigned char, bytes>> buffers(static_cast<std::size_t>(threads) *
                                                          turns);
    for (auto& one : buffers) one.fill(0);
    for (auto& one : fake.is_complete) one = false;
    const long freed_before = fake.requests_freed;
    together(threads, [&](int thread) {
        for (int turn = 0; turn < turns; ++turn) {
            const auto k = static_cast<std::size_t>(thread * turns + turn);
            auto call = std::make_unique<Call>("MPI_Irecv");
            void* seen = buffers[k].data();
            Handle type = abi().byte;
            call->out(driver.at(), seen, static_cast<int>(bytes), type);
            EXPECT_NE(seen, buffers[k].data());
            std::memset(seen, static_cast<int>(k % 250) + 1, bytes);  // as MPI receives
            call->is_active = true, call->is_persistent = turn % 4 == 0;
            requests().add_freed(static_cast<Handle>(k), std::move(call));
            fake.is_complete[(k * 7) % fake.is_complete.size()] = true;
            requests().finish_freed(false);
        }
    });
    requests().finish_freed(true);
    long persistent = 0;
    for (std::size_t k = 0; k < buffers.size(); ++k) {
        std::array<unsigned char, bytes> expected;
        expected.fill(static_cast<unsigned char>(k % 250 + 1));
        ASSERT_EQ(buffers[k], expected) << k;
        if (k % turns % 4 == 0) ++persistent;
    }
    EXPECT_EQ(driver.copied, static_cast<long>(buffers.size() * bytes));
    EXPECT_EQ(fake.requests_freed - freed_before, persistent);
}

/// One thread waits for all partitions while others give them: the call must not be out of sight.
TEST_P(SharedRequests, OfPartitionsStayInSightWhileOneIsWaitedFor) {
    constexpr Handle handle = 40;
    const int threads = GetParam(), partitions = threads * 16, part = 8;
    SharedDriver driver;
    std::vector<unsigned char> buffer(static_cast<std::size_t>(partitions * part));
    for (int round = 0; round < 4; ++round) {
        auto made = std::make_unique<Call>("MPI_Psend_init");
        const void* seen = buffer.data();
        Handle type = abi().byte;
        made->is_persistent = true;
        made->in(driver.at(), seen, partitions * part, type);
        made->partitions = partitions;
        requests().add(handle, std::move(made));
        requests().find(handle)->start();
        std::atomic<int> ready = 0;
        together(threads + 1, [&](int thread) {
            if (thread == threads) {
                while (ready < partitions) {  // MPI_Test
                    auto taken = requests().take(handle);
                    ASSERT_NE(taken, nullptr);
                    std::this_thread::yield();
                    requests().add(handle, std::move(taken));
                }
                return;
            }
            for (int k = thread; k < partitions; k += threads) {  // MPI_Pready
                std::memset(buffer.data() + k * part, k + round + 1, part);
                Call* const call = requests().find(handle);
                if (call != nullptr) call->load_partition(k);
                EXPECT_NE(call, nullptr);
                ++ready;
            }
        });
        EXPECT_EQ(std::memcmp(seen, buffer.data(), buffer.size()), 0);
        const auto last = requests().take(handle);
        EXPECT_FALSE(requests().are_none());  // it may come back
    }
    EXPECT_TRUE(requests().are_none());
    EXPECT_EQ(requests().find(handle), nullptr);
}

/// A probe asks all calls for a header while they get further buffers, and end.
TEST_P(SharedRequests, AreAskedForHeadersWhileTheyGetBuffers) {
    constexpr int turns = 80;
    const int threads = GetParam();
    SharedDriver driver;
    ASSERT_TRUE(watch().turn_on());
    const auto header = [&](int thread) {
        return Header{{1, static_cast<std::uint64_t>(threads)}, thread, thread, 5};
    };
    std::atomic<int> busy = threads;
    std::array<std::atomic<long>, 8> epochs{};  // odd while the header is there
    long probes = 0;
    together(threads + 1, [&](int thread) {
        const auto me = static_cast<std::size_t>(thread);
        if (thread == threads) {
            for (; busy > 0; ++probes) {
                if (probes % 16 == 0) std::this_thread::yield();
                const std::size_t k = static_cast<std::size_t>(probes % threads);
                const long before = epochs[k];
                const bool is_there = matched().has(header(static_cast<int>(k)));
                if (before == epochs[k] && before % 2 == 1) {
                    EXPECT_TRUE(is_there);
                }
                EXPECT_FALSE(matched().has(header(threads)));
            }
            return;
        }
        std::vector<std::byte> buffer(512), sent(64);
        const Header own = header(thread);
        std::memcpy(buffer.data(), &own, sizeof own);  // as MPI has received it
        for (int turn = 0; turn < turns; ++turn) {
            Call call("MPI_Sendrecv");
            void* seen = buffer.data();
            Handle type = abi().byte;
            call.received(Allocation{}, seen, 512, type);
            ++epochs[me];
            for (int k = 0; k < 3; ++k) {
                const void* other = sent.data();
                call.in(driver.at(), other, 64, type);
            }
            std::this_thread::yield();
            ++epochs[me];
        }
        --busy;
    });
    EXPECT_GT(probes, 0);
    for (int k = 0; k < threads; ++k) {
        EXPECT_FALSE(matched().has(header(k)));
        matched().add(header(k));  // taken out by MPI_Mprobe
        EXPECT_TRUE(matched().has(header(k)));
    }
}

INSTANTIATE_TEST_SUITE_P(Numbers, SharedRequests, testing::Values(1, 2, 4), name_of_threads);

}  // namespace
}  // namespace aureole::preload
