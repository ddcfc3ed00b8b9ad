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
    for (const char* stem : {"libmpi_mpifh", "libmpi_usempi", "libmpifort", "libmpichfort",
                             "libmpichfort", "libmpi_cxx", "libmpicxx", "libmpi_abi_fort"})
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

/// The file that an address is in, and the place there.
struct Object {
    std::uintptr_t address, offset = 0;
    const char* name = nullptr;
};

int find_object(dl_phdr_info* info, std::size_t, void* wanted) {
    auto& object = *static_cast<Object*>(wanted);
    const std::uintptr_t offset = object.address - info->dlpi_addr;
    for (int k = 0; k < info->dlpi_phnum; ++k) {
        const auto& part = info->dlpi_phdr[k];
        if (part.p_type != PT_LOAD || offset - part.p_vaddr >= part.p_memsz) continue;
        object.offset = offset, object.name = info->dlpi_name;
        return 1;
    }
    return 0;
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
    const auto call = reinterpret_cast<std::uintptr_t>(site) - 1;
    Object found{call};
    if (dl_iterate_phdr(find_object, &found) == 0) return "an unknown place";
    // The program itself has no name there.
    const std::string path = path_of(*found.name == 0 ? "/proc/self/exe" : found.name);
    std::array<char, 32> hex{};
    std::snprintf(hex.data(), hex.size(), "(+0x%zx)", static_cast<std::size_t>(found.offset));
    std::string function = function_at(path, found.offset);
    Dl_info of{};
    if (function.empty() && dladdr(reinterpret_cast<const void*>(call), &of) != 0 &&
        of.dli_sname != nullptr)
        function = of.dli_sname;
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
