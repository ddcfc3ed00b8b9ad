// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <system_error>
#include <vector>

// Where libraries of vendors are that are opened at run time.
namespace aureole::fft::vendor {

using Folders = std::vector<std::filesystem::path>;

inline void add_folder(Folders& folders, const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) folders.push_back(folder);
}

/// CUDA: AUREOLE_CUDA_LIBRARIES, CUDA_HOME, CUDA_PATH and the usual ones, then those that Python
/// packages bring (`nvidia/*/lib`) beside `module`, which is a file of ours.
inline Folders cuda_folders(const std::filesystem::path& module) {
    Folders folders;
    if (const char* own = std::getenv("AUREOLE_CUDA_LIBRARIES")) add_folder(folders, own);
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(variable))
            for (const char* part : {"lib64", "lib"})
                add_folder(folders, std::filesystem::path(home) / part);
    for (const char* usual : {"/usr/local/cuda/lib64", "/usr/local/cuda/lib", "/opt/cuda/lib64"})
        add_folder(folders, usual);
    // site-packages/aureole/_core.so: its neighbours are site-packages/nvidia/cu13/lib and alike.
    Folders brought;
    std::error_code ignored;
    const auto packages = module.parent_path().parent_path() / "nvidia";
    for (const auto& package : std::filesystem::directory_iterator(packages, ignored))
        brought.push_back(package.path() / "lib");
    std::sort(brought.begin(), brought.end());
    for (const auto& folder : brought) add_folder(folders, folder);
    return folders;
}

/// ROCm: AUREOLE_ROCM_LIBRARIES, ROCM_PATH and the usual one.
inline Folders rocm_folders() {
    Folders folders;
    if (const char* own = std::getenv("AUREOLE_ROCM_LIBRARIES")) add_folder(folders, own);
    if (const char* home = std::getenv("ROCM_PATH"))
        add_folder(folders, std::filesystem::path(home) / "lib");
    add_folder(folders, "/opt/rocm/lib");
    return folders;
}

}  // namespace aureole::fft::vendor
