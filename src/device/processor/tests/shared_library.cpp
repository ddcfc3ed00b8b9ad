// SPDX-License-Identifier: Apache-2.0
#include "device/processor/shared_library.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.hpp"

namespace aureole::device {
namespace {

namespace fs = std::filesystem;

TEST(SharedLibrary, GivesFunctions) {
    const SharedLibrary library("libm.so.6", {}, "");
    double (*cosine)(double) = nullptr;
    library.find(cosine, "cos");
    EXPECT_EQ(cosine(0), 1);
    EXPECT_THROW(library.find(cosine, "no_such_function"), core::DeviceError);
}

TEST(SharedLibrary, OneThatIsMissingNamesAllPlacesAndWhatToDo) {
    const fs::path folder = fs::path(::testing::TempDir()) / "no_libraries";
    fs::create_directories(folder);
    try {
        SharedLibrary("libnothing.so.7", {folder}, "Install nothing.");
        FAIL() << "nothing was thrown";
    } catch (const core::DeviceError& error) {
        const std::string text = error.what();
        for (const std::string& part :
             {std::string("libnothing.so.7"), folder.string(), std::string("Install nothing.")})
            EXPECT_NE(text.find(part), std::string::npos) << text;
    }
}

TEST(SharedLibrary, OneThatCannotBeReadSaysSo) {
    const fs::path folder = fs::path(::testing::TempDir()) / "broken_libraries";
    fs::create_directories(folder);
    std::ofstream(folder / "libbroken.so.1") << "no library";
    try {
        SharedLibrary("libbroken.so.1", {folder}, "");
        FAIL() << "nothing was thrown";
    } catch (const core::DeviceError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("broken_libraries/libbroken.so.1"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace aureole::device
