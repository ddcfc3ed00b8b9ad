// SPDX-License-Identifier: Apache-2.0
#include "fft/gpu/folders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "device/processor/shared_library.hpp"

namespace aureole::fft {
namespace {

namespace fs = std::filesystem;

TEST(CudaFolders, AreThoseOfTheEnvironmentThenThoseOfPackages) {
    const fs::path site = fs::path(::testing::TempDir()) / "site";
    fs::create_directories(site / "aureole");
    for (const char* name : {"cufft", "cu13"})
        fs::create_directories(site / "nvidia" / name / "lib");
    fs::create_directories(site / "home" / "lib64");
    setenv("CUDA_HOME", (site / "home").c_str(), 1);
    const auto folders = vendor::cuda_folders(site / "aureole" / "_core.so");
    unsetenv("CUDA_HOME");
    const auto at = [&](const fs::path& folder) {
        return std::find(folders.begin(), folders.end(), folder) - folders.begin();
    };
    const auto n = static_cast<std::ptrdiff_t>(folders.size());
    EXPECT_LT(at(site / "home" / "lib64"), at(site / "nvidia" / "cu13" / "lib"));
    EXPECT_EQ(at(site / "nvidia" / "cu13" / "lib"), n - 2);
    EXPECT_EQ(at(site / "nvidia" / "cufft" / "lib"), n - 1);
    EXPECT_TRUE(fs::exists(device::own_file()));
}

TEST(RocmFolders, AreThoseOfTheEnvironment) {
    const fs::path home = fs::path(::testing::TempDir()) / "rocm";
    fs::create_directories(home / "lib");
    fs::create_directories(home / "own");
    setenv("ROCM_PATH", home.c_str(), 1);
    setenv("AUREOLE_ROCM_LIBRARIES", (home / "own").c_str(), 1);
    const auto folders = vendor::rocm_folders();
    unsetenv("ROCM_PATH"), unsetenv("AUREOLE_ROCM_LIBRARIES");
    ASSERT_GE(folders.size(), 2u);
    EXPECT_EQ(folders[0], home / "own");
    EXPECT_EQ(folders[1], home / "lib");
}

}  // namespace
}  // namespace aureole::fft
