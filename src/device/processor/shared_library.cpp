// SPDX-License-Identifier: Apache-2.0
#include "device/processor/shared_library.hpp"

#include <dlfcn.h>

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

fs::path own_file() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(&own_file), &info) == 0 || info.dli_fname == nullptr)
        return {};
    std::error_code ignored;
    const fs::path found = fs::absolute(info.dli_fname, ignored);
    return found;
}

}  // namespace aureole::device
