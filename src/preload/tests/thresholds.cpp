// SPDX-License-Identifier: Apache-2.0
// The file of thresholds: what it says, and everything that may be wrong with it.
#include "preload/thresholds.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "core/error.hpp"
#include "preload/small_file.hpp"

namespace aureole::preload {
namespace {

const std::string head = "aureole-mpi-thresholds 1\n";
const std::string here = "CUDA; a device; an MPI 1.0; a processor";

std::string why(const std::string& text) {
    try {
        find_threshold(text, here);
    } catch (const core::InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Thresholds, EachMachineHasItsOwn) {
    const std::string text = head + "4096 another\n131072 " + here + "\noff a third\n0 a fourth\n";
    EXPECT_EQ(find_threshold(text, here), 131072);
    EXPECT_EQ(find_threshold(text, "another"), 4096);
    EXPECT_EQ(find_threshold(text, "a third"), -1);
    EXPECT_EQ(find_threshold(text, "a fourth"), 0);
    EXPECT_EQ(find_threshold(text, here + " "), std::nullopt);
    EXPECT_EQ(find_threshold(text, ""), std::nullopt);
    EXPECT_EQ(find_threshold(head, here), std::nullopt);
}

TEST(Thresholds, FilesOfOtherVersionsAreNotRead) {
    for (const std::string version : {"2", "", "1 ", "10", "-1"})
        EXPECT_NE(why("aureole-mpi-thresholds " + version + "\nanything\n").find("another version"),
                  std::string::npos)
            << version;
}

TEST(Thresholds, BrokenFilesAreNotRead) {
    const std::string zeros("\0\0\0\0", 4);
    for (const std::string& first : {std::string(), std::string("\n"), zeros, head.substr(0, 12),
                                     head.substr(0, head.size() - 1), std::string("[toml]\n")})
        EXPECT_NE(why(first).find("broken in line 1"), std::string::npos) << first;
    const std::string good = "4096 another\n";
    for (const std::string line :
         {"", " ", "4096", "4096 ", "-1 a", "4k a", "0x10 a", "1.5 a", "of a", "99999999999999 a",
          "9999999999999 a", " 4096 a", "off", "\t5 a"})
        EXPECT_NE(why(head + good + line + "\n").find("broken in line 3"), std::string::npos)
            << line;
    // Cut short anywhere, it is broken, or has less in it; it never has another number.
    const std::string whole = head + good + "131072 " + here + "\n";
    for (std::size_t n = 0; n < whole.size(); ++n) {
        const std::string part = whole.substr(0, n);
        if (n == head.size() || n == head.size() + good.size())
            EXPECT_EQ(find_threshold(part, here), std::nullopt);
        else
            EXPECT_THROW(find_threshold(part, here), core::InputError) << n;
    }
}

TEST(Thresholds, OnlyFilesAreRead) {
    std::string folder = testing::TempDir() + "thresholds-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    EXPECT_EQ(read_small_file(folder + "/none"), std::nullopt);
    EXPECT_EQ(read_small_file(folder + "/none/below"), std::nullopt);
    EXPECT_THROW(read_small_file(folder), core::FileError);
    const std::string file = folder + "/file", pipe = folder + "/pipe";
    std::ofstream(file) << head << "4096 " << here << '\n';
    EXPECT_EQ(find_threshold(*read_small_file(file), here), 4096);
    EXPECT_EQ(read_small_file(file + "/below"), std::nullopt);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(read_small_file(pipe), "");  // at once: nobody writes there
    std::ofstream(file, std::ios::app) << std::string(std::size_t{1} << 20, 'x');
    EXPECT_THROW(read_small_file(file), core::InputError);
    for (const std::string& made : {file, pipe}) unlink(made.c_str());
    rmdir(folder.c_str());
}

TEST(Thresholds, TheFolderIsThatOfTheUsersCache) {
    const auto path = [](const char* cache, const char* home) {
        cache != nullptr ? setenv("XDG_CACHE_HOME", cache, 1) : unsetenv("XDG_CACHE_HOME");
        home != nullptr ? setenv("HOME", home, 1) : unsetenv("HOME");
        return thresholds_path();
    };
    EXPECT_EQ(path("/c", "/h"), "/c/aureole/mpi-thresholds");
    EXPECT_EQ(path(nullptr, "/h"), "/h/.cache/aureole/mpi-thresholds");
    EXPECT_EQ(path("", "/h"), "/h/.cache/aureole/mpi-thresholds");
    EXPECT_EQ(path("c", "/h"), "/h/.cache/aureole/mpi-thresholds");  // as the standard demands
    EXPECT_EQ(path(nullptr, nullptr), "");
    EXPECT_EQ(path("c", "h"), "");
}

}  // namespace
}  // namespace aureole::preload
