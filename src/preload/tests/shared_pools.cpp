// SPDX-License-Identifier: Apache-2.0
// Pools of memory in the hands of several threads: pinned memory, addresses that are reserved, and
// memory of devices for payloads.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "preload/bounce.hpp"
#include "preload/reserved_room.hpp"
#include "preload/staging.hpp"
#include "preload/tests/shared_driver.hpp"
#include "preload/tests/together.hpp"

namespace aureole::preload {
namespace {

class SharedPools : public Threads {};

/// Takes pieces, gives them back in another order, and writes a number of its own into the first
/// and the last bytes of each: nobody else may write there meanwhile. Returns how many it took.
template <class Piece, class Take>
long use_pieces(int thread, int turns, std::size_t most, Take&& take) {
    struct Held {
        Piece piece;
        std::byte* first = nullptr;
        std::size_t bytes = 0;
        std::uint64_t number = 0;
    };
    const auto check = [](const Held& one) {
        if (one.first == nullptr) return;
        std::uint64_t low = 0, high = 0;
        std::memcpy(&low, one.first, 8), std::memcpy(&high, one.first + one.bytes - 8, 8);
        EXPECT_EQ(low, one.number);
        EXPECT_EQ(high, one.number);
    };
    std::mt19937 random(static_cast<unsigned>(thread));
    std::array<Held, 5> held;
    long taken = 0;
    for (int turn = 0; turn < turns; ++turn) {
        Held& one = held[random() % held.size()];
        check(one);
        const std::size_t bytes = 16 + random() % most;
        one.first = nullptr;
        one.piece = Piece();  // given back, perhaps to another thread
        one.piece = take(bytes);
        one.first = one.piece.data();
        if (one.first == nullptr) continue;
        ++taken;
        one.bytes = bytes, one.number = static_cast<std::uint64_t>(thread) << 32 | random();
        std::memcpy(one.first, &one.number, 8);
        std::memcpy(one.first + bytes - 8, &one.number, 8);
    }
    for (const Held& one : held) check(one);
    return taken;
}

TEST_P(SharedPools, OfPinnedMemoryGiveEachPieceToOne) {
    constexpr int turns = 1500;
    static auto* const driver = new SharedDriver;  // the pool keeps memory of it
    const long pinned_before = driver->pins;
    std::atomic<long> taken = 0;
    together(GetParam(), [&](int thread) {
        taken += use_pieces<Pinned>(thread, turns, 5000,
                                    [&](std::size_t bytes) { return Pinned(bytes, driver->at()); });
    });
    EXPECT_EQ(taken, long{GetParam()} * turns);
    // Sizes are in six bins, and a thread has five pieces at once.
    EXPECT_LE(driver->pins - pinned_before, long{GetParam()} * 6 * 5);
    EXPECT_EQ(driver->unpins, 0);
    // As much as the pool keeps fits into it again and again.
    const long pins = driver->pins;
    for (int turn = 0; turn < 10; ++turn) {
        const Pinned once(3000, driver->at());
        EXPECT_NE(once.data(), nullptr);
    }
    EXPECT_EQ(driver->pins, pins);
}

TEST_P(SharedPools, OfPinnedMemoryGiveBackWhatIsTooMuch) {
    SharedDriver driver;  // pieces of 256 MB: the pool keeps none
    constexpr std::size_t large = (std::size_t{1} << 28) - 1;
    constexpr int turns = 20;
    together(GetParam(), [&](int) {
        for (int turn = 0; turn < turns; ++turn) {
            const Pinned small(100, driver.at());
            const Pinned one(large + 1, driver.at());
            std::memset(one.data(), turn, 8);
        }
    });
    EXPECT_EQ(driver.unpins, long{GetParam()} * turns);
    EXPECT_LE(driver.pins - driver.unpins, GetParam());  // of the small ones
}

TEST_P(SharedPools, OfReservedRoomGiveZerosAgain) {
    constexpr int turns = 300;
    std::atomic<long> taken = 0;
    together(GetParam(), [&](int thread) {
        taken +=
            use_pieces<ReservedRoom>(thread, turns, std::size_t{1} << 18, [&](std::size_t bytes) {
                ReservedRoom room(bytes);
                std::uint64_t first = 1;
                std::memcpy(&first, room.data(), 8);
                EXPECT_EQ(first, 0u);
                room.note_written();
                return room;
            });
    });
    EXPECT_EQ(taken, long{GetParam()} * turns);
}

TEST_P(SharedPools, OfDeviceMemoryGiveEachPieceToOne) {
    constexpr int turns = 400;
    static auto* const driver = new SharedDriver;  // the pool keeps memory of it
    Bounce& pool = bounce();
    pool.has_released();
    std::atomic<long> taken = 0, large = 0, released = 0;
    together(GetParam(), [&](int thread) {
        taken += use_pieces<Bounce::Piece>(thread, turns, 1 << 20, [&](std::size_t bytes) {
            if (bytes % 128 == 0) {  // a block of its own, which is released
                ++large;
                const auto once = pool.take(std::size_t{33} << 20, driver->at());
                EXPECT_TRUE(once.exists());
                std::memset(once.data(), 0, 8);
            }
            released += pool.has_released() ? 1 : 0;
            auto piece = pool.take(bytes, driver->at());
            EXPECT_TRUE(piece.exists());
            const Location at = piece.location();
            std::byte* base = nullptr;
            std::memcpy(&base, at.handle.bytes.data(), sizeof base);
            EXPECT_EQ(base + at.offset, piece.data());
            return piece;
        });
    });
    EXPECT_EQ(taken, long{GetParam()} * turns);
    released += pool.has_released() ? 1 : 0;
    EXPECT_GT(large, 0);
    EXPECT_GE(released, 1);
    EXPECT_LE(released, large);
    EXPECT_EQ(driver->live(), 1u);  // at most 20 pieces of up to 1 MB were held
    // All of it is one piece again.
    const auto all = pool.take(std::size_t{32} << 20, driver->at());
    EXPECT_EQ(all.location().offset, 0u);
    EXPECT_EQ(driver->live(), 1u);
    EXPECT_EQ(driver->misuses, 0);
}

INSTANTIATE_TEST_SUITE_P(Numbers, SharedPools, testing::Values(1, 2, 4), name_of_threads);

}  // namespace
}  // namespace aureole::preload
