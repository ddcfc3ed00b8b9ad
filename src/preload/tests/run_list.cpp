// SPDX-License-Identifier: Apache-2.0
// Lists of pieces by one kernel, beside the same copied piece by piece.
#include "preload/run_list.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "preload/staging.hpp"
#include "preload/tests/plain_driver.hpp"

namespace aureole::preload {
namespace {

using Bytes = std::vector<unsigned char>;

/// Pieces of `unit` bytes or a few of them, with gaps between them, and elements that lie ahead of
/// each other, backwards, or within each other's gaps.
struct Pieces {
    std::int64_t unit = 1, n = 20, extent = 0;
};

std::shared_ptr<Datatype> list_of(const Pieces& of, std::mt19937& random) {
    const auto pick = [&](int low, int high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    auto type = std::make_shared<Datatype>();
    std::int64_t at = 0;
    for (std::int64_t k = 0; k < of.n; ++k) {
        at += of.unit * (pick(1, 3) + k % 2);
        const std::int64_t bytes = of.unit * pick(1, 4);
        type->layout.add(Layout(bytes), 1, 0, at);
        at += bytes;
    }
    type->layout.find_loops();
    type->size = type->layout.size();
    type->extent = of.extent == 0 ? at + of.unit : of.extent;
    return type;
}

/// One buffer in "device memory", with `margin` bytes around what elements reach.
struct Buffer {
    Buffer(const Datatype& type, std::int64_t count)
        : low(type.low(count)), bytes(static_cast<std::size_t>(type.high(count) - low) + 64) {
        std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
    }
    void* base() { return bytes.data() + 32 - low; }
    std::int64_t low;
    Bytes bytes;
};

/// The bytes from `first` on are loaded, changed on the host and stored; returns the host's bytes
/// and those of the device after it.
std::array<Bytes, 2> there_and_back(PlainDriver& driver, const std::shared_ptr<Datatype>& type,
                                    std::int64_t count, Staged::Form form,
                                    std::array<std::int64_t, 2> range) {
    Buffer buffer(*type, count);
    const bool is_dense = form == Staged::Form::dense;
    Staged staged(buffer.base(), driver.at(), {{type, count, 0, 0}}, form);
    const std::int64_t low = is_dense ? 0 : type->low(count);
    const auto n = static_cast<std::size_t>(is_dense ? type->size * count
                                                     : type->high(count) - type->low(count));
    auto* const host = static_cast<unsigned char*>(staged.host()) + low;
    std::memset(host, 0, n);
    staged.load_blocks(range[0], range[1]);
    const Bytes loaded(host, host + n);
    for (std::size_t k = 0; k < n; ++k) host[k] = static_cast<unsigned char>(7 * k + 3);
    staged.store_blocks(range[0], range[1]);
    return {loaded, buffer.bytes};
}

TEST(RunLists, CopyWhatSingleCopiesDo) {
    std::mt19937 random(5);
    for (const std::int64_t unit : {1, 2, 3, 4, 8, 16, 24})
        for (const std::int64_t extent : {0, 2000, -2400, 16}) {
            const auto type = list_of({unit, 25, extent * (unit == 3 ? 3 : 1)}, random);
            for (const std::int64_t count : {1, 2, 5}) {
                if (extent == 16 && count > 1) continue;  // elements would overlap
                const std::int64_t all = type->size * count;
                for (const auto form : {Staged::Form::dense, Staged::Form::mirrored})
                    for (const std::int64_t first : {std::int64_t{0}, unit, type->size - 1})
                        for (const std::int64_t bytes : {all, all / 2 + 1, unit, all - first}) {
                            PlainDriver single, listed;
                            listed.has_kernels = true;
                            const std::array range{first, bytes};
                            EXPECT_EQ(there_and_back(listed, type, count, form, range),
                                      there_and_back(single, type, count, form, range))
                                << unit << " " << extent << " " << count << " " << first << " "
                                << bytes;
                            run_lists().forget(*type);
                            ASSERT_EQ(listed.launches, 2);
                            ASSERT_EQ(listed.copies, 1);  // of the list
                            ASSERT_GE(single.copies, 2);
                            ASSERT_TRUE(listed.lists.empty());
                        }
            }
        }
}

TEST(RunLists, MoveTheWidestUnits) {
    std::mt19937 random(9);
    for (const auto& [unit, widest] :
         {std::pair{1, 1}, {2, 2}, {3, 1}, {12, 4}, {8, 8}, {48, 16}}) {
        PlainDriver driver;
        driver.has_kernels = true;
        const auto type = list_of({unit, 25, 0}, random);
        const std::array range{std::int64_t{0}, type->size};
        there_and_back(driver, type, 1, Staged::Form::dense, range);
        EXPECT_EQ(driver.unit, widest) << unit;
        there_and_back(driver, type, 1, Staged::Form::dense, {1, type->size - 1});
        EXPECT_EQ(driver.unit, 1);
        run_lists().forget(*type);
    }
}

/// Elements of n pieces with distances that no loop has.
std::shared_ptr<Datatype> small_list(std::int64_t n) {
    auto type = std::make_shared<Datatype>();
    for (std::int64_t k = 0; k < n; ++k)
        type->layout.add(Layout(4), 1, 0, 8 * k + 4 * (k * k % 7 % 2));
    type->layout.find_loops();
    type->size = type->layout.size(), type->extent = 8 * n + 8;
    return type;
}

TEST(RunLists, AreForManyPiecesAlone) {
    PlainDriver driver;
    driver.has_kernels = true;
    std::mt19937 random(1);
    int launched = 0, copied = 0;
    for (std::int64_t n = 2; n < 60; ++n) {
        const auto type = small_list(n);
        Buffer buffer(*type, 1);
        Staged staged(buffer.base(), driver.at(), {{type, 1, 0, 0}}, Staged::Form::dense);
        driver.copies = driver.launches = 0;
        staged.load();
        const bool is_many = type->layout.copies(1, type->extent, 1000) >= 16;
        EXPECT_EQ(driver.launches, is_many ? 1 : 0) << n;
        EXPECT_EQ(driver.copies, is_many ? 1 : type->layout.copies(1, type->extent, 1000)) << n;
        (is_many ? launched : copied) += 1;
        run_lists().forget(*type);
    }
    EXPECT_GT(launched, 5);
    EXPECT_GT(copied, 5);
}

TEST(RunLists, LeaveLargePiecesToCopies) {
    PlainDriver driver;
    driver.has_kernels = true;
    auto type = std::make_shared<Datatype>();
    for (std::int64_t k = 0; k < 20; ++k)
        type->layout.add(Layout(100000), 1, 0, 200000 * k + k * k % 7);
    type->size = type->layout.size(), type->extent = 4000100;
    Buffer buffer(*type, 1);
    Staged staged(buffer.base(), driver.at(), {{type, 1, 0, 0}}, Staged::Form::dense);
    staged.load();
    EXPECT_EQ(driver.launches, 0);
    EXPECT_EQ(driver.copies, 20);
}

TEST(RunLists, AreMadeOnceAndGoWithTheirDatatype) {
    PlainDriver driver;
    driver.has_kernels = true;
    auto type = small_list(40);
    Buffer buffer(*type, 3);
    for (int k = 0; k < 5; ++k) {
        Staged staged(buffer.base(), driver.at(), {{type, 3, 0, 0}}, Staged::Form::dense);
        staged.load();
    }
    EXPECT_EQ(driver.launches, 5);
    EXPECT_EQ(driver.allocations, 1);
    EXPECT_EQ(driver.lists.size(), 1u);
    type.reset();
    EXPECT_TRUE(driver.lists.empty());
}

TEST(RunLists, AreCopiedPieceByPieceWhereTheDeviceIsFull) {
    PlainDriver driver, single;
    driver.has_kernels = driver.is_full = true;
    const auto type = small_list(40);
    const std::array range{std::int64_t{3}, std::int64_t{90}};
    EXPECT_EQ(there_and_back(driver, type, 1, Staged::Form::dense, range),
              there_and_back(single, type, 1, Staged::Form::dense, range));
    EXPECT_EQ(driver.launches, 0);
    EXPECT_EQ(driver.copies, single.copies);
}

TEST(RunLists, GiveBackThoseThatWereNotUsedForLongest) {
    PlainDriver driver;
    driver.has_kernels = true;
    std::vector<std::shared_ptr<Datatype>> types;
    for (int k = 0; k < 4; ++k) types.push_back(small_list(40));
    const std::size_t of_one = RunLists(1 << 20).of(*types[0], driver.at())->bytes();
    ASSERT_EQ(driver.lists.size(), 0u);
    RunLists lists(3 * of_one);
    for (int k = 0; k < 3; ++k) lists.of(*types[static_cast<std::size_t>(k)], driver.at());
    lists.of(*types[0], driver.at());
    const auto held = lists.of(*types[2], driver.at());
    lists.of(*types[3], driver.at());  // in the place of the one with index 1
    EXPECT_EQ(driver.lists.size(), 3u);
    const int before = driver.allocations;
    for (const std::size_t k : {0u, 2u, 3u}) lists.of(*types[k], driver.at());
    EXPECT_EQ(driver.allocations, before);
    lists.of(*types[1], driver.at());  // in that of 0
    lists.of(*types[0], driver.at());  // in that of 2, which somebody holds
    EXPECT_EQ(driver.lists.size(), 4u);
    EXPECT_EQ(RunLists(of_one - 1).of(*types[0], driver.at()), nullptr);
}

/// How many copies a driver needs is counted without making them.
TEST(RunLists, CountCopiesAsTheyAreMade) {
    std::mt19937 random(3);
    const auto pick = [&](int low, int high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    for (int tries = 0; tries < 3000; ++tries) {
        auto type = std::make_shared<Datatype>();
        for (auto parts = pick(1, 3); parts > 0; --parts) {
            Layout one(pick(1, 5));
            for (auto depth = pick(0, 3); depth > 0; --depth) {
                Layout more;
                more.add(one, pick(1, 3), pick(-30, 60), pick(-9, 9));
                one = more;
            }
            type->layout.add(one, 1, 0, pick(-500, 500));
        }
        type->size = type->layout.size(), type->extent = pick(-300, 300);
        const auto count = pick(1, 4);
        PlainDriver driver;
        Buffer buffer(*type, count);
        Staged staged(buffer.base(), driver.at(), {{type, count, 0, 0}}, Staged::Form::dense);
        staged.load();
        ASSERT_EQ(type->layout.copies(count, type->extent, 1 << 20), driver.copies);
        ASSERT_EQ(type->layout.copies(count, type->extent, 3), std::min(driver.copies, 3));
    }
}

}  // namespace
}  // namespace aureole::preload
