// SPDX-License-Identifier: Apache-2.0
#include "preload/check_site.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "preload/abi.hpp"
#include "preload/function_names.hpp"
#include "preload/library.hpp"
#include "preload/mpi.hpp"
#include "preload/report.hpp"

namespace aureole::preload {

namespace {

enum class Owner { program, binding, library };

const char* file_name(const char* path) {
    const char* const slash = std::strrchr(path, '/');
    return slash != nullptr ? slash + 1 : path;
}

bool begins_with(const char* text, const char* stem) {
    return std::strncmp(text, stem, std::strlen(stem)) == 0;
}

/// Whose code an address is.
Owner owner_of(const void* address) {
    Dl_info of{}, own{};
    if (dladdr(address, &of) == 0 || of.dli_fname == nullptr) return Owner::program;
    dladdr(reinterpret_cast<const void*>(&owner_of), &own);
    if (of.dli_fbase == own.dli_fbase) return Owner::binding;
    const char* const name = file_name(of.dli_fname);
    // Bindings of Fortran and C++ call the functions of C, at any depth.
    for (const char* stem : {"libmpi_mpifh", "libmpi_usempi", "libmpifort", "libmpi_cxx",
                             "libmpicxx", "libmpi_abi_fort"})
        if (begins_with(name, stem)) return Owner::binding;
    if (library_path() == of.dli_fname || begins_with(name, "mca_") ||
        begins_with(name, "libmpi.so") || begins_with(name, "libopen-pal"))
        return Owner::library;
    return Owner::program;
}

[[gnu::noinline]] const void* walk() {
    std::array<void*, 32> frames{};
    const int n = backtrace(frames.data(), static_cast<int>(frames.size()));
    for (int k = 0; k < n; ++k) {
        const void* const frame = frames[static_cast<std::size_t>(k)];
        const Owner owner = owner_of(frame);
        if (owner == Owner::library) return nullptr;
        if (owner == Owner::program) return frame;
    }
    return n > 0 ? frames[0] : nullptr;
}

}  // namespace

const void* program_site(const void* returned) {
    struct Known {
        const void* site = nullptr;
        Owner owner = Owner::program;
    };
    thread_local std::array<Known, 64> known;
    const auto number = reinterpret_cast<std::uintptr_t>(returned);
    Known& slot = known[(number ^ (number >> 6)) % known.size()];
    if (slot.site != returned || returned == nullptr) slot = {returned, owner_of(returned)};
    if (slot.owner == Owner::program) return returned;
    return slot.owner == Owner::library ? nullptr : walk();
}

std::string site_text(const void* site) {
    // The call ends one byte before the address that it returns to.
    const void* const call = static_cast<const char*>(site) - 1;
    Dl_info of{};
    link_map* map = nullptr;
    if (dladdr1(call, &of, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr)
        return "an unknown place";
    const auto offset = reinterpret_cast<std::uintptr_t>(call) - map->l_addr;
    const bool is_program = map->l_name == nullptr || *map->l_name == 0;
    const std::string path = path_of(is_program ? "/proc/self/exe" : map->l_name);
    std::array<char, 32> hex{};
    std::snprintf(hex.data(), hex.size(), "(+0x%zx)", static_cast<std::size_t>(offset));
    std::string function = function_at(path, offset);
    if (function.empty() && of.dli_sname != nullptr) function = of.dli_sname;
    return path + hex.data() + (function.empty() ? "" : " in " + function);
}

void report_mistake(const char* kind, const char* call, const void* site, const std::string& text) {
    static std::mutex lock;
    static std::set<std::pair<const void*, const void*>> reported;
    {
        const std::lock_guard guard(lock);
        if (!reported.insert({kind, site}).second) return;
    }
    int rank = 0;
    mpi.comm_rank(abi().comm_world, &rank);
    say("check: rank " + std::to_string(rank) + ": " + call + " at " + site_text(site) + ": " +
        text);
}

}  // namespace aureole::preload
