// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <span>

#include "core/error.hpp"

namespace aureole::io {
namespace {

namespace fs = std::filesystem;

class CheckpointTest : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("aureole_checkpoint_" + std::to_string(::getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        path_ = folder_ / "run.ckpt";
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// Blocks of several sizes whose contents follow from `generation`.
    void write(int generation) {
        std::mt19937_64 random(static_cast<std::uint64_t>(generation));
        position_.resize(333);
        for (double& x : position_) x = std::uniform_real_distribution<double>()(random);
        step_ = generation;
        extra_ = "{\"generation\": " + std::to_string(generation) + "}";
        const std::vector<Block> blocks = {
            {"step", &step_, sizeof step_},
            {"position", position_.data(), position_.size() * sizeof(double)},
            {"empty", nullptr, 0},
            {"extra", extra_.data(), extra_.size()}};
        write_checkpoint(path_, blocks);
    }
    static std::int64_t step_of(const Checkpoint& checkpoint) {
        std::int64_t step = -1;
        const auto bytes = checkpoint.block("step");
        EXPECT_EQ(bytes.size(), sizeof step);
        std::memcpy(&step, bytes.data(), sizeof step);
        return step;
    }
    std::vector<char> contents() const {
        std::ifstream in(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static std::string refusal(const std::vector<char>& bytes) {
        try {
            Checkpoint::from_bytes(std::as_bytes(std::span(bytes)), "altered");
        } catch (const core::FileError& error) {
            return error.what();
        }
        return "";
    }
    std::vector<std::string> names_in_folder() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_)) {
            names.push_back(entry.path().filename().string());
        }
        std::ranges::sort(names);
        return names;
    }
    template <class F>
    static std::string error_of(F&& f) {
        try {
            f();
        } catch (const core::Error& error) {
            return error.what();
        }
        return "";
    }

    fs::path folder_, path_;
    std::vector<double> position_;
    std::int64_t step_ = 0;
    std::string extra_;
};

TEST_F(CheckpointTest, returns_what_was_written_and_aligned) {
    write(7);
    const Checkpoint checkpoint(path_);
    EXPECT_EQ(checkpoint.names(), (std::vector<std::string>{"step", "position", "empty", "extra"}));
    EXPECT_EQ(step_of(checkpoint), 7);
    const auto position = checkpoint.block("position");
    ASSERT_EQ(position.size(), position_.size() * sizeof(double));
    EXPECT_EQ(std::memcmp(position.data(), position_.data(), position.size()), 0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(position.data()) % 64, 0u);
    EXPECT_TRUE(checkpoint.has("empty"));
    EXPECT_EQ(checkpoint.block("empty").size(), 0u);
    EXPECT_FALSE(checkpoint.has("velocity"));
    EXPECT_NE(error_of([&] { checkpoint.block("velocity"); }).find("velocity"), std::string::npos);
}

TEST_F(CheckpointTest, keeps_the_generation_before_and_nothing_else) {
    write(1);
    EXPECT_EQ(names_in_folder(), (std::vector<std::string>{"run.ckpt"}));
    for (int generation = 2; generation < 5; ++generation) {
        write(generation);
        EXPECT_EQ(step_of(Checkpoint(path_)), generation);
        EXPECT_EQ(step_of(Checkpoint(previous_generation(path_))), generation - 1);
        EXPECT_EQ(names_in_folder(), (std::vector<std::string>{"run.ckpt", "run.ckpt.prev"}));
    }
}

TEST_F(CheckpointTest, goes_on_after_a_kill_between_the_two_renames) {
    write(1);
    write(2);
    // State left by a kill there: both names are one file, and the link's own name may be left too.
    fs::remove(previous_generation(path_));
    fs::create_hard_link(path_, previous_generation(path_));
    fs::create_hard_link(path_, path_.string() + ".tmp-1-prev");
    write(3);
    EXPECT_EQ(step_of(Checkpoint(path_)), 3);
    EXPECT_EQ(step_of(Checkpoint(previous_generation(path_))), 2);
    EXPECT_EQ(names_in_folder(), (std::vector<std::string>{"run.ckpt", "run.ckpt.prev"}));
}

TEST_F(CheckpointTest, every_flipped_bit_is_refused_with_its_place_named) {
    write(1);
    const std::vector<char> sound = contents();
    ASSERT_EQ(refusal(sound), "");
    for (std::size_t at = 0; at < sound.size(); ++at) {
        std::vector<char> altered = sound;
        altered[at] = static_cast<char>(altered[at] ^ (1 << at % 8));
        const std::string text = refusal(altered);
        ASSERT_NE(text, "") << "byte " << at;
        const bool named = text.find("header") != text.npos || text.find("table") != text.npos ||
                           text.find("padding") != text.npos || text.find("block '") != text.npos;
        EXPECT_TRUE(named) << text;
    }
    std::vector<char> altered = sound;
    altered.back() = '?';
    EXPECT_NE(refusal(altered).find("block 'extra'"), std::string::npos) << refusal(altered);
}

TEST_F(CheckpointTest, every_truncation_and_extension_is_refused) {
    write(1);
    const std::vector<char> sound = contents();
    for (std::size_t bytes = 0; bytes < sound.size(); ++bytes) {
        ASSERT_NE(refusal({sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(bytes)}), "");
    }
    for (std::size_t more = 1; more < 200; ++more) {
        std::vector<char> longer = sound;
        longer.insert(longer.end(), more, '\0');
        ASSERT_NE(refusal(longer), "");
    }
}

TEST_F(CheckpointTest, a_damaged_newest_one_falls_back_to_the_one_before) {
    write(1);
    write(2);
    EXPECT_EQ(step_of(read_checkpoint_or_previous(path_).checkpoint), 2);
    fs::resize_file(path_, fs::file_size(path_) - 1);
    const Generation used = read_checkpoint_or_previous(path_);
    EXPECT_EQ(step_of(used.checkpoint), 1);
    EXPECT_TRUE(used.is_previous);
    EXPECT_NE(used.reason.find("damaged"), std::string::npos) << used.reason;
    // Writing anew must not let the damaged one push out the last sound one.
    write(3);
    EXPECT_EQ(step_of(Checkpoint(path_)), 3);
    EXPECT_EQ(step_of(Checkpoint(previous_generation(path_))), 1);
    fs::resize_file(path_, 10);
    fs::resize_file(previous_generation(path_), 10);
    const std::string text = error_of([&] { read_checkpoint_or_previous(path_); });
    EXPECT_NE(text.find("neither checkpoint"), std::string::npos) << text;
}

TEST_F(CheckpointTest, a_missing_newest_one_falls_back_too) {
    write(1);
    write(2);
    fs::remove(path_);
    const Generation used = read_checkpoint_or_previous(path_);
    EXPECT_EQ(step_of(used.checkpoint), 1);
    EXPECT_EQ(used.path, previous_generation(path_));
    EXPECT_NE(used.reason.find(path_.string()), std::string::npos) << used.reason;
}

TEST_F(CheckpointTest, removes_only_the_temporaries_of_dead_writers_of_the_same_file) {
    const auto touch = [&](const std::string& name) { std::ofstream(folder_ / name) << "x"; };
    touch("run.ckpt.tmp-4194999");
    touch("run.ckpt.tmp-4194999-prev");
    touch("run.ckpt.tmp-notes");
    touch("other.ckpt.tmp-4194999");
    touch("run.ckpt.tmp-");
    write(1);
    EXPECT_EQ(names_in_folder(), (std::vector<std::string>{"other.ckpt.tmp-4194999", "run.ckpt",
                                                           "run.ckpt.tmp-", "run.ckpt.tmp-notes"}));
}

TEST_F(CheckpointTest, errors_name_the_file_and_the_reason) {
    path_ = folder_ / "missing" / "run.ckpt";
    std::string text = error_of([&] { write(1); });
    EXPECT_NE(text.find("missing/run.ckpt"), std::string::npos) << text;
    EXPECT_NE(text.find("No such file"), std::string::npos) << text;
    text = error_of([&] { Checkpoint{path_}; });
    EXPECT_NE(text.find("missing/run.ckpt"), std::string::npos) << text;
    path_ = folder_;
    EXPECT_NE(error_of([&] { write(1); }).find("not a file"), std::string::npos);
    EXPECT_NE(error_of([&] { Checkpoint{path_}; }), "");
    path_ = "/dev/full";
    EXPECT_NE(error_of([&] { write(1); }).find("not a file"), std::string::npos);
    path_ = folder_ / "pipe";
    ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    EXPECT_NE(error_of([&] { Checkpoint{path_}; }).find("not a file"), std::string::npos);
}

TEST_F(CheckpointTest, a_link_stays_a_link) {
    write(1);
    const fs::path file = path_;
    path_ = folder_ / "latest";
    fs::create_symlink(file, path_);
    write(2);
    EXPECT_TRUE(fs::is_symlink(path_));
    EXPECT_EQ(step_of(Checkpoint(file)), 2);
}

TEST_F(CheckpointTest, unusable_block_names_are_refused_and_nothing_is_lost) {
    write(1);
    const std::vector<Block> twice = {{"a", nullptr, 0}, {"a", nullptr, 0}};
    EXPECT_THROW(write_checkpoint(path_, twice), core::InputError);
    const std::vector<Block> nameless = {{"", nullptr, 0}};
    EXPECT_THROW(write_checkpoint(path_, nameless), core::InputError);
    EXPECT_EQ(step_of(Checkpoint(path_)), 1);
    EXPECT_EQ(names_in_folder(), (std::vector<std::string>{"run.ckpt"}));
}

}  // namespace
}  // namespace aureole::io
