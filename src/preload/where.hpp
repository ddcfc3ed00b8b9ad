// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "drivers/driver.hpp"
#include "preload/abi.hpp"
#include "preload/handle.hpp"

namespace aureole::preload {

using drivers::Allocation;

namespace detail {

/// From the program's static data to the program break: memory of the host, without asking a
/// driver.
struct ProgramData {
    static constexpr std::uintptr_t nowhere = 0;
    std::atomic<std::uintptr_t> begin = ~nowhere;                 ///< if it was not found
    std::atomic<const std::uintptr_t*> program_break = &nowhere;  ///< set before `begin`

    bool has(const void* address) const {
        const auto number = reinterpret_cast<std::uintptr_t>(address);
        return number >= begin.load(std::memory_order_acquire) &&
               number < *program_break.load(std::memory_order_relaxed);
    }
};
extern ProgramData program_data;

/// Never throws, as its callers are functions of MPI: an address that the driver failed to look up
/// is of kind `unknown`, and `throw_if_unknown` tells why.
Allocation look_up(const void* address) noexcept;
Allocation look_up_bottom(Handle type, Count displacement = 0) noexcept;

}  // namespace detail

/// Throws core::DeviceError if the driver failed to look up this buffer of the current call.
void throw_if_unknown(const Allocation& at);

/// The device memory that a buffer lies in; nothing if it is memory of the host, or one of MPI's
/// markers.
inline Allocation where(const void* buffer) {
    return detail::program_data.has(buffer) ? Allocation{} : detail::look_up(buffer);
}
/// The same for a buffer that may be MPI_BOTTOM, with addresses in its datatype.
inline Allocation where(const void* buffer, Handle type) {
    return buffer == nullptr ? detail::look_up_bottom(type) : where(buffer);
}

/// The same for a buffer with blocks of different datatypes, where displacements may be addresses.
/// `blocks` tells their number.
template <class N, class D, class Blocks>
Allocation where(const void* buffer, const N* counts, const D* displacements, const void* types,
                 Blocks&& blocks) {
    if (buffer != nullptr) return where(buffer);
    for (int k = 0, n = blocks(); k < n; ++k) {
        if (counts[k] == 0) continue;
        const Allocation found = detail::look_up_bottom(abi().at(types, k), displacements[k]);
        if (found.on_device()) return found;
    }
    return {};
}

}  // namespace aureole::preload
