// SPDX-License-Identifier: Apache-2.0
#include "preload/where.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <string>

#include "core/error.hpp"
#include "preload/abi.hpp"
#include "preload/datatype.hpp"
#include "preload/settings.hpp"

namespace aureole::preload {

namespace {

thread_local std::string why_unknown;

/// What `find` finds, or an allocation of kind `unknown`.
template <class Find>
Allocation guarded(Find&& find) noexcept {
    try {
        return find();
    } catch (const std::exception& error) {
        why_unknown = error.what();
        Allocation unknown;
        unknown.driver = *drivers::Driver::all();
        unknown.kind = drivers::MemoryKind::unknown;
        return unknown;
    }
}

int find_program(dl_phdr_info* info, std::size_t, void* begin) {
    *static_cast<std::uintptr_t*>(begin) = info->dlpi_addr + info->dlpi_phdr[0].p_vaddr;
    for (int k = 0; k < info->dlpi_phnum; ++k)
        if (info->dlpi_phdr[k].p_type == PT_LOAD) {
            *static_cast<std::uintptr_t*>(begin) = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
            break;
        }
    return 1;  // the program is the first one
}

/// One behind the highest address of this thread's stack; 0 if it is not known.
std::uintptr_t end_of_stack() {
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
    return reinterpret_cast<std::uintptr_t>(low) + bytes;
}

/// When this library is loaded, before any function of MPI.
[[gnu::constructor]] void find_program_data() {
    std::uintptr_t begin = 0;
    dl_iterate_phdr(find_program, &begin);
    // The C library's own record: UCX, which is in some MPI libraries, makes sbrk a system call.
    const auto* const end = static_cast<const std::uintptr_t*>(dlsym(RTLD_DEFAULT, "__curbrk"));
    if (end == nullptr) return;
    detail::program_data.program_break.store(end, std::memory_order_relaxed);
    detail::program_data.begin.store(begin, std::memory_order_release);
}

/// Whether an address is on this thread's stack: memory of the host too.
bool is_on_stack(std::uintptr_t address) {
    thread_local const std::uintptr_t end = end_of_stack();
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    return address > here && address < end;
}

}  // namespace

void throw_if_unknown(const Allocation& at) {
    if (at.kind == drivers::MemoryKind::unknown) throw core::DeviceError(why_unknown);
}

namespace detail {

constinit ProgramData program_data;

Allocation look_up(const void* address) noexcept {
    // No mapping lies in the first page, and MPI_IN_PLACE is -1 or 1.
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    if (number < 4096 || number == ~std::uintptr_t{0}) return {};
    if (is_on_stack(number) || settings().is_off) return {};
    return guarded([=] { return drivers::Driver::look_up(address); });
}

Allocation look_up_bottom(Handle type, Count displacement) noexcept {
    if (abi().own(type) == abi().datatype_null || *drivers::Driver::all() == nullptr) return {};
    return guarded([=]() -> Allocation {
        const auto found = datatype(type);
        if (found->layout.pieces().empty()) return {};
        return look_up(
            reinterpret_cast<const void*>(displacement + found->layout.pieces()[0].offset));
    });
}

}  // namespace detail

}  // namespace aureole::preload
