// SPDX-License-Identifier: Apache-2.0
#include "comm/heap.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

#include "core/error.hpp"

namespace aureole::comm {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

TEST(Heap, GivesEveryoneRoomOfTheirOwn) {
    auto heap = Heap::of_threads(3, megabyte);
    const auto a = heap.reserve<double>(5);
    const auto b = heap.reserve<char>(1);
    const auto c = heap.reserve<double>(0);
    const auto d = heap.reserve<std::int32_t>(100);
    EXPECT_EQ(a.rank, 3);
    EXPECT_EQ(c.n, 0);
    EXPECT_GE(b.offset, a.offset + 40);
    EXPECT_GE(d.offset, b.offset + 1);
    for (const auto offset : {a.offset, b.offset, c.offset, d.offset})
        EXPECT_EQ(offset % static_cast<std::int64_t>(Heap::alignment), 0);
    for (int k = 0; k < 5; ++k) EXPECT_EQ(heap.at(a)[k], 0);
    heap.at(a)[4] = 1.5;
    EXPECT_EQ(reinterpret_cast<double*>(heap.base() + a.offset)[4], 1.5);
}

TEST(Heap, SaysThatItIsFull) {
    auto heap = Heap::of_threads(0, megabyte);
    heap.reserve<char>(megabyte - 128);
    EXPECT_THROW(heap.reserve<char>(129), core::RankError);
    EXPECT_THROW(heap.reserve<double>(std::int64_t{1} << 61), core::RankError);
    EXPECT_THROW(heap.reserve<double>(-1), core::RankError);
    EXPECT_NO_THROW(heap.reserve<char>(128));
    EXPECT_THROW(heap.reserve<char>(1), core::RankError);
}

TEST(Heap, IsReachedByAnotherProcess) {
    auto mine = Heap::shared(0, std::size_t{4} << 30);  // far more than is touched
    const auto numbers = mine.reserve<double>(1000);
    mine.at(numbers)[999] = 2;
    const pid_t child = fork();
    if (child == 0) {
        int status = 1;
        try {
            const auto theirs = Heap::mapped(0, dup(mine.descriptor()));
            if (theirs.at(numbers)[999] == 2) status = 0;
            theirs.at(numbers)[0] = 7;
        } catch (...) {
            status = 2;
        }
        _exit(status);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(mine.at(numbers)[0], 7);
}

TEST(Heap, NeedsADescriptor) { EXPECT_THROW(Heap::mapped(1, -1), core::RankError); }

}  // namespace
}  // namespace aureole::comm
