// SPDX-License-Identifier: Apache-2.0
#include "device/processor/shared_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "core/error.hpp"

namespace aureole::device {

namespace fs = std::filesystem;

SharedLibrary::SharedLibrary(const std::string& name, const std::vector<fs::path>& folders,
                             const std::string& remedy)
    : name_(name) {
    std::string why;
    const auto open = [&](const fs::path& path) {
        handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle_ != nullptr) return true;
        const char* said = dlerror();
        why += (why.empty() ? "" : "; ") + std::string(said ? said : path.string());
        return false;
    };
    if (open(name)) return;
    std::error_code ignored;
    for (const fs::path& folder : folders)
        if (fs::exists(folder / name, ignored) && open(folder / name)) return;
    for (const fs::path& folder : folders)
        why += (&folder == folders.data() ? "; looked in " : ", ") + folder.string();
    throw core::DeviceError(name + " cannot be opened", why, remedy);
}

void* SharedLibrary::address(const char* symbol) const {
    void* found = dlsym(handle_, symbol);
    if (found == nullptr)
        throw core::DeviceError(name_ + " has no function " + symbol, "it is a different version",
                                "Install a version that has it.");
    return found;
}

std::vector<fs::path> cuda_folders(const fs::path& module) {
    std::vector<fs::path> folders;
    std::error_code ignored;
    const auto add = [&](const fs::path& folder) {
        if (fs::is_directory(folder, ignored)) folders.push_back(folder);
    };
    if (const char* own = std::getenv("AUREOLE_CUDA_LIBRARIES")) add(own);
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(variable))
            for (const char* part : {"lib64", "lib"}) add(fs::path(home) / part);
    for (const char* usual : {"/usr/local/cuda/lib64", "/usr/local/cuda/lib", "/opt/cuda/lib64"})
        add(usual);
    // site-packages/aureole/_core.so: its neighbours are site-packages/nvidia/cu13/lib and alike.
    const fs::path packages = module.parent_path().parent_path() / "nvidia";
    std::vector<fs::path> brought;
    for (const auto& package : fs::directory_iterator(packages, ignored))
        brought.push_back(package.path() / "lib");
    std::sort(brought.begin(), brought.end());
    for (const fs::path& folder : brought) add(folder);
    return folders;
}

std::vector<fs::path> rocm_folders() {
    std::vector<fs::path> folders;
    std::error_code ignored;
    const auto add = [&](const fs::path& folder) {
        if (fs::is_directory(folder, ignored)) folders.push_back(folder);
    };
    if (const char* own = std::getenv("AUREOLE_ROCM_LIBRARIES")) add(own);
    if (const char* home = std::getenv("ROCM_PATH")) add(fs::path(home) / "lib");
    add("/opt/rocm/lib");
    return folders;
}

fs::path own_file() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(&own_file), &info) == 0 || info.dli_fname == nullptr)
        return {};
    std::error_code ignored;
    const fs::path found = fs::absolute(info.dli_fname, ignored);
    return found;
}

}  // namespace aureole::device
