// SPDX-License-Identifier: Apache-2.0
// The tables of memory that was given to other processes, and of theirs that is mapped here, in the
// hands of several threads.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "drivers/exports.hpp"
#include "drivers/imports.hpp"
#include "preload/tests/shared_driver.hpp"
#include "preload/tests/together.hpp"

namespace aureole::preload {
namespace {

class SharedMappings : public Threads {};

/// What threads have counted, each for itself.
using Ids = std::vector<std::uint64_t>;

TEST_P(SharedMappings, TellEachFreedAllocationOnce) {
    constexpr int turns = 60, threads_most = 8;
    SharedDriver driver;
    drivers::Exports exports;
    std::array<Ids, threads_most> freed, told;
    std::array<std::vector<void*>, threads_most> kept;
    together(GetParam(), [&](int k) {
        const auto me = static_cast<std::size_t>(k);
        for (int turn = 0; turn < turns; ++turn) {
            auto* const memory = static_cast<std::byte*>(driver.allocate(64, driver.at()));
            const Allocation own = driver.attributes(memory);
            EXPECT_FALSE(exports.has(own.id));
            for (const int inside : {0, 63}) {  // the second time from the table
                const drivers::MemoryHandle handle = exports.handle(own, memory + inside);
                EXPECT_EQ(handle.id, own.id);
                EXPECT_EQ(handle.size, 64u);
            }
            EXPECT_TRUE(exports.has(own.id));
            if (turn % 3 == 0) {
                kept[me].push_back(memory);
            } else {
                driver.release(memory, own);  // another thread may have this address now
                freed[me].push_back(own.id);
            }
            if (turn % 4 != k % 4) continue;
            const Ids some = exports.take_freed();
            told[me].insert(told[me].end(), some.begin(), some.end());
        }
    });
    std::multiset<std::uint64_t> all_freed, all_told;
    std::size_t n_kept = 0;
    for (const auto& ids : freed) all_freed.insert(ids.begin(), ids.end());
    for (const auto& ids : told) all_told.insert(ids.begin(), ids.end());
    for (const std::uint64_t id : exports.take_freed()) all_told.insert(id);
    for (const auto& memory : kept) n_kept += memory.size();
    EXPECT_EQ(all_told, all_freed);
    EXPECT_EQ(exports.size(), n_kept);
    for (const auto& memory : kept)
        for (void* const one : memory) driver.release(one, driver.at());
    EXPECT_EQ(exports.take_freed().size(), n_kept);
    EXPECT_EQ(exports.size(), 0u);
    EXPECT_EQ(driver.misuses, 0);
}

/// Allocations of other processes, each filled with numbers of its own.
struct Owners {
    static constexpr std::uint64_t owners = 2, ids = 12;
    static constexpr std::size_t bytes = 256;
    using Memory = std::array<std::uint64_t, bytes / sizeof(std::uint64_t)>;

    Owners() {
        for (std::uint64_t k = 0; k < owners * ids; ++k) memory[k].fill(k);
    }
    drivers::MemoryHandle handle(std::uint64_t k) const {
        const auto* const at = &memory[k];
        drivers::MemoryHandle made;
        std::memcpy(made.bytes.data(), &at, sizeof at);
        made.id = k / owners, made.size = bytes;
        return made;
    }
    std::array<Memory, owners * ids> memory;
};

TEST_P(SharedMappings, MapWhatIsMeantAndKeepWhatIsInUse) {
    constexpr int turns = 300;
    constexpr std::size_t most = 6;
    const Owners of;
    SharedDriver driver;
    std::atomic<long> uses = 0;
    {
        drivers::Imports imports(drivers::ImportLimits{most, std::size_t{1} << 20});
        together(GetParam(), [&](int thread) {
            std::mt19937 random(static_cast<unsigned>(thread));
            std::array<drivers::Imports::Use, 3> held;
            for (int turn = 0; turn < turns; ++turn) {
                const std::uint64_t k = random() % (Owners::owners * Owners::ids);
                const auto owner = static_cast<std::int64_t>(k % Owners::owners);
                if (turn % 16 == 15) imports.drop(owner, k / Owners::owners);
                if (turn % 64 == 63) imports.drop_all(owner);
                drivers::Imports::Use& use = held[random() % held.size()];
                use = imports.map(owner, of.handle(k), driver.at(static_cast<int>(k % 2)));
                ++uses;
                const auto* const data = reinterpret_cast<const std::uint64_t*>(use.data());
                EXPECT_EQ(data[0], k);
                EXPECT_EQ(data[Owners::bytes / sizeof(std::uint64_t) - 1], k);
            }
        });
        EXPECT_LE(imports.size(), most + 3 * static_cast<std::size_t>(GetParam()));
        EXPECT_EQ(imports.size(), driver.mapped());
        EXPECT_EQ(imports.bytes(), driver.mapped() * Owners::bytes);
        for (std::uint64_t k = 0; k < Owners::owners * Owners::ids; ++k) {  // nothing is in use now
            const auto owner = static_cast<std::int64_t>(k % Owners::owners);
            const auto use = imports.map(owner, of.handle(k), driver.at());
            EXPECT_LE(imports.size(), most);
        }
        imports.drop_all(0), imports.drop_all(1);
        EXPECT_EQ(imports.size(), 0u);
        EXPECT_EQ(imports.bytes(), 0u);
    }
    EXPECT_EQ(driver.mapped(), 0u);
    EXPECT_EQ(driver.misuses, 0);
    EXPECT_EQ(uses, long{GetParam()} * turns);
    EXPECT_GE(driver.opened, static_cast<long>(Owners::owners * Owners::ids));
}

INSTANTIATE_TEST_SUITE_P(Numbers, SharedMappings, testing::Values(1, 2, 4), name_of_threads);

}  // namespace
}  // namespace aureole::preload
