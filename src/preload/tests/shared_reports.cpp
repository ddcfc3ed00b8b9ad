// SPDX-License-Identifier: Apache-2.0
// What is said or found out once, and the list of calls that are checked, in the hands of several
// threads.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "preload/check.hpp"
#include "preload/report.hpp"
#include "preload/settings.hpp"
#include "preload/tests/one_node.hpp"
#include "preload/tests/shared_driver.hpp"
#include "preload/tests/together.hpp"
#include "preload/thresholds.hpp"

namespace aureole::preload {
namespace {

int lines_with(const std::string& text, const std::string& words) {
    int n = 0;
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++n;
    return n;
}

/// Settings are read when a program begins, so that this test runs itself in a process that has
/// others, and counts there what is said and how often the driver is asked.
TEST(SharedReports, AreSaidOnce) {
    constexpr long measured = 4096;
    SharedDriver driver;
    OneNode::get();
    if (settings().tells) {
        std::array<const Threshold*, 8> found{};
        together(8, [&](int thread) {
            const Allocation at = driver.at();
            if (thread % 2 == 0) tell_once(&at);
            found[static_cast<std::size_t>(thread)] = &threshold(at);
            tell_once(&at);
        });
        for (const Threshold* const one : found) EXPECT_EQ(one, found[0]);
        EXPECT_EQ(found[0]->bytes, measured);
        EXPECT_EQ(driver.names, 1);
        return;
    }
    namespace files = std::filesystem;
    const auto cache = files::temp_directory_path() / ("aureole-test-" + std::to_string(getpid()));
    files::create_directories(cache / "aureole");
    std::ofstream(cache / "aureole/mpi-thresholds")
        << "aureole-mpi-thresholds 1\n"
        << measured << " " << machine(driver.at()) << "\n";
    const std::string program = files::read_symlink("/proc/self/exe");
    const std::string command =
        "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX AUREOLE_MPI_LOG=1 XDG_CACHE_HOME='" +
        cache.string() + "' '" + program + "' --gtest_filter=SharedReports.AreSaidOnce 2>&1";
    FILE* const child = popen(command.c_str(), "r");
    ASSERT_NE(child, nullptr);
    std::string said;
    for (int c = fgetc(child); c != EOF; c = fgetc(child)) said += static_cast<char>(c);
    EXPECT_EQ(pclose(child), 0) << said;
    files::remove_all(cache);
    EXPECT_EQ(lines_with(said, "aureole-mpi: "), 1) << said;
    EXPECT_EQ(lines_with(said, "from 4096 bytes on straight"), 1) << said;
    EXPECT_EQ(lines_with(said, "[  PASSED  ] 1 test."), 1) << said;
}

/// Buffers of a thread are its own, but for one that all of them write: of the calls with that, one
/// is reported, as they are all made at one place.
TEST(SharedReports, NameWhatOverlapsAndNothingElse) {
    constexpr int threads = 4, turns = 40, n = 64;
    OneNode::get();
    static const std::array<char, 2> places{};  // any two addresses of this program
    std::vector<std::array<char, n>> memory(threads * turns + 1);
    const auto call = [&](const char* name, std::size_t k, const void* site) {
        auto made = std::make_unique<Checked>(name, Scope{Scope::Kind::comm, 0, site});
        std::vector<Block> blocks{{one_byte(), n, 0, 0}};
        made->add({memory[k].data(), {}, std::move(blocks), -1, false, true}, false);
        made->open();
        return made;
    };
    testing::internal::CaptureStderr();
    {
        const auto first = call("MPI_Irecv", threads * turns, &places[0]);
        together(threads, [&](int thread) {
            std::vector<Staged> none;
            for (int turn = 0; turn < turns; ++turn) {
                const auto own =
                    call("MPI_Own", static_cast<std::size_t>(thread * turns + turn), &places[0]);
                const auto common = call("MPI_Common", threads * turns, &places[1]);
                own->complete(none);
                common->complete(none);
            }
        });
    }
    Checked::report_open();  // nothing is
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(lines_with(said, "check: "), 1) << said;
    EXPECT_EQ(lines_with(said, "MPI_Common at "), 1) << said;
    EXPECT_EQ(lines_with(said, "MPI_Own"), 0) << said;
}

}  // namespace
}  // namespace aureole::preload
