// SPDX-License-Identifier: Apache-2.0
#include "device/host/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/error.hpp"
#include "device/host/arena.hpp"

namespace aureole::device::host {
namespace {

TEST(Memory, BlocksAreAligned) {
    Memory memory;
    for (const std::size_t bytes : {1ul, 100ul, 1ul << 20, 5ul << 20}) {
        void* block = memory.allocate(bytes);
        const std::size_t alignment = bytes >= (2ul << 20) ? (2ul << 20) : 64;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u);
        std::memset(block, 1, bytes);
        memory.release(block);
    }
}

TEST(Memory, MiddlingBlocksShareSlabs) {
    Memory memory;
    constexpr std::size_t size = 300'000;
    std::vector<std::byte*> blocks;
    for (int k = 0; k < 40; ++k) {  // more than two slabs
        blocks.push_back(static_cast<std::byte*>(memory.allocate(size)));
        std::memset(blocks.back(), k, size);
    }
    for (std::size_t k = 0; k < blocks.size(); ++k)  // none overlaps another
        for (const std::size_t at : {std::size_t{0}, size / 2, size - 1})
            ASSERT_EQ(blocks[k][at], std::byte(k));
    if (!sanitized) {
        int neighbours = 0;
        for (std::size_t k = 1; k < blocks.size(); ++k)
            if (blocks[k] - blocks[k - 1] < 2 * std::ptrdiff_t(size) && blocks[k] > blocks[k - 1])
                ++neighbours;
        EXPECT_GT(neighbours, 30);
    }
    const auto kept = memory.kept();
    for (auto* block : blocks) memory.release(block);
    if (!sanitized) {
        EXPECT_EQ(memory.kept(), kept);  // slabs stay, and are no spare blocks
        EXPECT_NE(std::find(blocks.begin(), blocks.end(), memory.allocate(size)), blocks.end());
    }
}

TEST(Memory, RecyclesUpToALimit) {
    Memory memory;
    void* block = memory.allocate(1000);
    memory.release(block);
    if (sanitized) {
        EXPECT_EQ(memory.kept(), 0u);
        return;
    }
    EXPECT_EQ(memory.kept(), 1024u);
    void* again = memory.allocate(990);
    EXPECT_EQ(block, again);
    EXPECT_EQ(memory.kept(), 0u);
    memory.release(again);
    void* large = memory.allocate(200ul << 20);
    memory.release(large);
    EXPECT_LE(memory.kept(), 64ul << 20);
}

TEST(Memory, SaysThatThereIsNoMore) {
    Memory memory;
    EXPECT_THROW(memory.allocate(static_cast<std::size_t>(-1) / 2), core::DeviceError);
}

TEST(Arena, OpensAndPoisons) {
    Arena arena;
    auto* block = static_cast<double*>(arena.allocate(64 * sizeof(double)));
    arena.open();
    Arena::poison(block, 64 * sizeof(double));
    EXPECT_NE(block[5], block[5]);
    block[5] = 1.5;
    arena.open();
    arena.close();
    EXPECT_EQ(block[5], 1.5);  // still open for the first
    auto* later = static_cast<double*>(arena.allocate(8));
    later[0] = 2;  // made while open
    arena.close();
    arena.release(block);
    arena.release(later);
}

TEST(ArenaDeathTest, ClosedMemoryCannotBeTouched) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Arena arena;
    auto* block = static_cast<volatile double*>(arena.allocate(64));
    arena.open();
    block[0] = 1;
    arena.close();
    EXPECT_DEATH(block[0] = 2, "");
}

}  // namespace
}  // namespace aureole::device::host
