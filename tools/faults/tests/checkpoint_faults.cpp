// SPDX-License-Identifier: Apache-2.0
// A failure or a kill at every single call that writing a checkpoint makes: whatever happens, a
// complete generation can be loaded, nothing is left lying about, and the error names the file.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "generation.hpp"
#include "io/checkpoint.hpp"
#include "io/file.hpp"

namespace aureole::faults {
namespace {

namespace fs = std::filesystem;

struct Call {
    std::string name, path;
};

/// What it has; where the real one has less, tests see less.
struct FileSystem {
    bool links = true;
    bool unnamed = true;
};

struct Outcome {
    bool killed = false;
    int status = 0;
    std::string error;
    std::vector<Call> calls;
};

class CheckpointFaults : public ::testing::Test {
  protected:
    void SetUp() override {
        base_ = fs::temp_directory_path() / ("aureole_faults_" + std::to_string(::getpid()));
        fs::remove_all(base_);
        folder_ = base_ / "run";
        path_ = folder_ / "run.checkpoint";
    }
    void TearDown() override { fs::remove_all(base_); }

    /// Two sound generations, 1 and 2, and nothing else.
    void fresh() {
        fs::remove_all(base_);
        fs::create_directories(folder_);
        write_generation(path_, 1);
        write_generation(path_, 2);
    }

    /// Writes generation 3 in another process whose call number `at` goes wrong.
    Outcome write_with_fault(const std::string& kind, int at, FileSystem has = {}) {
        const fs::path log = base_ / "log", errors = base_ / "errors";
        fs::remove(log);
        std::ostringstream command;
        command << "env LD_PRELOAD=" << FAULTS_LIBRARY << " AUREOLE_FAULTS_FOLDER=" << folder_
                << " AUREOLE_FAULTS_LOG=" << log << " AUREOLE_FAULTS_KIND=" << kind
                << " AUREOLE_FAULTS_AT=" << at << " AUREOLE_FAULTS_NO_LINKS=" << !has.links
                << " AUREOLE_FAULTS_NO_UNNAMED=" << !has.unnamed << ' ' << FAULTS_WRITER << ' '
                << path_ << " 3 3 2>" << errors;
        const int status = std::system(command.str().c_str());
        Outcome outcome;
        // The shell reports a killed child as 128 + signal, or dies of it where it replaced itself.
        outcome.killed = WIFSIGNALED(status) || WEXITSTATUS(status) == 137;
        outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        std::ifstream text(errors);
        std::getline(text, outcome.error);
        std::ifstream lines(log);
        Call call;
        for (int number; lines >> number >> call.name >> call.path;) outcome.calls.push_back(call);
        return outcome;
    }

    std::vector<std::string> litter() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_)) {
            const std::string name = entry.path().filename().string();
            if (name != "run.checkpoint" && name != "run.checkpoint.prev") names.push_back(name);
        }
        return names;
    }

    int loadable() const {
        return generation_of(io::read_checkpoint_or_previous(path_).checkpoint);
    }

    int number_of_calls(FileSystem has) {
        fresh();
        const Outcome outcome = write_with_fault("none", 0, has);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(loadable(), 3);
        return static_cast<int>(outcome.calls.size());
    }

    void expect_survives_failures(const std::string& kind, FileSystem has = {});
    void expect_survives_kills(const std::string& kind, FileSystem has = {});

    fs::path base_, folder_, path_;
};

void CheckpointFaults::expect_survives_failures(const std::string& kind, FileSystem has) {
    const int calls = number_of_calls(has);
    int refused = 0;
    for (int at = 1; at <= calls; ++at) {
        fresh();
        const Outcome outcome = write_with_fault(kind, at, has);
        ASSERT_GE(static_cast<int>(outcome.calls.size()), at);
        const Call& hit = outcome.calls[static_cast<std::size_t>(at - 1)];
        SCOPED_TRACE(kind + " at " + std::to_string(at) + ": " + hit.name + " " + hit.path);
        ASSERT_FALSE(outcome.killed);
        if (outcome.status == 0) {
            EXPECT_EQ(loadable(), 3);
            const bool harmless = kind == "short" || hit.name == "unlink";
            EXPECT_TRUE(harmless || (kind == "torn" && hit.name != "write"));
        } else {
            ++refused;
            EXPECT_EQ(outcome.status, 3);
            EXPECT_GE(loadable(), 2);
            EXPECT_NE(outcome.error.find(path_.string()), std::string::npos) << outcome.error;
            const char* reason = kind == "eio" ? "Input/output error" : "No space left";
            EXPECT_NE(outcome.error.find(reason), std::string::npos) << outcome.error;
        }
        EXPECT_EQ(litter(), std::vector<std::string>{});
        write_generation(path_, 4);
        EXPECT_EQ(generation_of(io::Checkpoint(path_)), 4);
        EXPECT_GE(generation_of(io::Checkpoint(io::previous_generation(path_))), 2);
    }
    if (kind != "short") {
        EXPECT_GE(refused, 4) << "the injector does not reach the writer";
    }
}

void CheckpointFaults::expect_survives_kills(const std::string& kind, FileSystem has) {
    const int calls = number_of_calls(has);
    for (int at = 1; at <= calls; ++at) {
        fresh();
        const Outcome outcome = write_with_fault(kind, at, has);
        ASSERT_FALSE(outcome.calls.empty());
        SCOPED_TRACE(kind + " at " + std::to_string(at) + ": " + outcome.calls.back().name + " " +
                     outcome.calls.back().path);
        ASSERT_TRUE(outcome.killed);
        const int survived = loadable();
        EXPECT_GE(survived, 2);
        // Only between its link and its rename has the new file a name of its own.
        const bool named = std::ranges::any_of(outcome.calls, [](const Call& call) {
            return call.name != "unlink" && call.path.find(".tmp-") != std::string::npos;
        });
        EXPECT_TRUE(named || litter().empty());
        write_generation(path_, 4);
        EXPECT_EQ(generation_of(io::Checkpoint(path_)), 4);
        EXPECT_EQ(generation_of(io::Checkpoint(io::previous_generation(path_))), survived);
        EXPECT_EQ(litter(), std::vector<std::string>{});
    }
}

TEST_F(CheckpointFaults, every_kind_of_call_is_seen) {
    fresh();
    const Outcome outcome = write_with_fault("none", 0);
    for (const char* name : {"open", "write", "fsync", "link", "rename"}) {
        EXPECT_TRUE(std::ranges::any_of(outcome.calls, [&](const Call& c) {
            return c.name == name;
        })) << name;
    }
}

TEST_F(CheckpointFaults, no_space_at_every_call) { expect_survives_failures("enospc"); }
TEST_F(CheckpointFaults, input_output_error_at_every_call) { expect_survives_failures("eio"); }
TEST_F(CheckpointFaults, short_write_at_every_call) { expect_survives_failures("short"); }
TEST_F(CheckpointFaults, disk_full_from_every_call_on) { expect_survives_failures("torn"); }
TEST_F(CheckpointFaults, kill_before_every_call) { expect_survives_kills("kill"); }
TEST_F(CheckpointFaults, kill_within_every_call) { expect_survives_kills("kill-half"); }
TEST_F(CheckpointFaults, kill_after_every_call) { expect_survives_kills("kill-after"); }

TEST_F(CheckpointFaults, nothing_has_a_name_before_it_is_whole) {
    fresh();
    if (!io::File::without_name(folder_, path_)) GTEST_SKIP() << "no such files in " << folder_;
    const auto calls = write_with_fault("none", 0).calls;
    const auto link = std::ranges::find(calls, "link", &Call::name);
    ASSERT_NE(link, calls.end());
    EXPECT_TRUE(std::any_of(calls.begin(), link, [](auto& call) { return call.name == "fsync"; }));
    EXPECT_TRUE(std::none_of(calls.begin(), link, [](auto& call) {
        return call.path.find(".tmp-") != std::string::npos;
    }));
}

class Lacks : public CheckpointFaults, public ::testing::WithParamInterface<FileSystem> {};

TEST_P(Lacks, something_and_survives) {
    for (const char* kind : {"enospc", "torn"}) expect_survives_failures(kind, GetParam());
    for (const char* kind : {"kill", "kill-half"}) expect_survives_kills(kind, GetParam());
}

INSTANTIATE_TEST_SUITE_P(FileSystems, Lacks,
                         ::testing::Values(FileSystem{.links = false}, FileSystem{.unnamed = false},
                                           FileSystem{.links = false, .unnamed = false}));

}  // namespace
}  // namespace aureole::faults
