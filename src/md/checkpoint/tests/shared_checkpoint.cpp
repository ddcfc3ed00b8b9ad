// SPDX-License-Identifier: Apache-2.0
#include "md/checkpoint/shared_checkpoint.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/shared_checkpoint.hpp"
#include "md/checkpoint/state_blocks.hpp"

namespace aureole::md {
namespace {

namespace fs = std::filesystem;

class SharedCheckpoints : public testing::Test {
  protected:
    SharedCheckpoints()
        : folder_(fs::temp_directory_path() / ("aureole-shared-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~SharedCheckpoints() override { fs::remove_all(folder_); }
    fs::path file(const char* name) const { return folder_ / name; }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& one : fs::directory_iterator(folder_))
            names.push_back(one.path().filename().string());
        return names;
    }

    fs::path folder_;
};

/// Rank r has r + 2 particles, whose tags count on from those of the rank before.
StateBlocks blocks_of(int rank, const halo::RankGrid& grid) {
    StateBlocks blocks;
    std::vector<Tag> tags(static_cast<std::size_t>(rank + 2));
    std::iota(tags.begin(), tags.end(), Tag{rank * (rank + 3) / 2});
    put(blocks, slice_name("tag", rank), tags);
    put(blocks, slice_name("column.a@b", rank), std::vector<double>(tags.begin(), tags.end()));
    if (rank == 0) {
        put_division(blocks, grid);
        put(blocks, "extra", std::vector<char>{'t', 'e', 'x', 't'});
    }
    return blocks;
}

TEST_F(SharedCheckpoints, HoldTheSlicesOfAllRanksInTheirOrder) {
    constexpr int ranks = 12;  // "10" is before "2" as text
    const halo::RankGrid grid{{3, 2, 2}};
    comm::World::of_threads(ranks, [&](comm::World& world) {
        io::write_shared_checkpoint(world, file("state"), blocks_of(world.rank(), grid));
    });
    EXPECT_EQ(files(), std::vector<std::string>{"state"});
    auto blocks = io::read_blocks(file("state"));
    const auto division = join_slices(blocks);
    ASSERT_TRUE(division);
    EXPECT_EQ(division->grid.size(), ranks);
    EXPECT_EQ(division->begin[3], 2 + 3 + 4);
    const auto tags = get<Tag>(blocks, "tag");
    const auto numbers = get<double>(blocks, "column.a@b", tags.size());
    ASSERT_EQ(std::ssize(tags), division->begin.back());
    for (std::size_t i = 0; i < tags.size(); ++i) {
        EXPECT_EQ(tags[i], static_cast<Tag>(i));
        EXPECT_EQ(numbers[i], static_cast<double>(i));
    }
    EXPECT_EQ(blocks.size(), 4u);
}

TEST_F(SharedCheckpoints, ErrorsOfOneRankAreThrownByAllWhoGoOn) {
    const halo::RankGrid grid{{3, 1, 1}};
    comm::World::of_threads(3, [&](comm::World& world) {
        auto blocks = blocks_of(world.rank(), grid);
        const auto write = [&](const fs::path& path) {
            io::write_shared_checkpoint(world, path, blocks);
        };
        EXPECT_THROW(write(folder_), core::FileError);
        EXPECT_TRUE(world.agreed());
        blocks[std::string(256, 'x')] = {};
        EXPECT_THROW(write(file("state")), core::InputError);
        blocks.erase(std::string(256, 'x'));
        put(blocks, "twice", std::vector{1.0});
        EXPECT_THROW(write(file("state")), core::InputError);  // of several ranks
        EXPECT_TRUE(files().empty());
        world.barrier();
        EXPECT_FALSE(world.agreed());
        blocks.erase("twice");
        EXPECT_NO_THROW(write(file("state")));
    });
    EXPECT_EQ(files(), std::vector<std::string>{"state"});
}

TEST(SlicesOfCheckpoints, AreRefusedWhereTheyDoNotFit) {
    const halo::RankGrid grid{{2, 1, 1}};
    StateBlocks good;
    for (int r = 0; r < 2; ++r)
        for (const auto& [name, bytes] : blocks_of(r, grid)) good[name] = bytes;
    const auto refused = [&](const char* why, auto&& change) {
        auto blocks = good;
        change(blocks);
        EXPECT_THROW(join_slices(blocks), core::FileError) << why;
    };
    refused("no tags", [](auto& b) { b.erase("tag@1"); });
    refused("one slice", [](auto& b) { b.erase("column.a@b@0"); });
    refused("whole and in slices", [](auto& b) { b["tag"] = {}; });
    refused("a slice too many", [](auto& b) { b["mass@1"] = {}; });
    for (const std::int32_t n : {0, -1, 5000})
        refused("no such grid", [&](auto& b) {
            put(b, "division", std::vector<std::int32_t>{n, 1, 1});
        });
    refused("too many ranks", [](auto& b) {
        put(b, "division", std::vector<std::int32_t>{4096, 4096, 4096});
    });
    refused("half a division", [](auto& b) { b["division"].resize(8); });
    auto blocks = good;
    EXPECT_TRUE(join_slices(blocks));
    blocks = good;
    blocks.erase("division");
    EXPECT_FALSE(join_slices(blocks));
}

}  // namespace
}  // namespace aureole::md
