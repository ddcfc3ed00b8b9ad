// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/memory/driver.hpp"
#include "preload/handle.hpp"

namespace aureole::preload {

using comm::Allocation;

namespace detail {

/// Whether a driver is there: looked for at the first call.
enum class Drivers : int { unknown, none, some };
extern Drivers drivers;
Allocation look_up(const void* address);
Allocation look_up_bottom(Handle type);

}  // namespace detail

/// The device memory that a buffer lies in; nothing if it is memory of the host, or one of MPI's
/// markers.
inline Allocation where(const void* buffer) {
    if (detail::drivers == detail::Drivers::none) return {};
    return detail::look_up(buffer);
}
/// The same for a buffer that may be MPI_BOTTOM, with addresses in its datatype.
inline Allocation where(const void* buffer, Handle type) {
    if (detail::drivers == detail::Drivers::none) return {};
    return buffer == nullptr ? detail::look_up_bottom(type) : detail::look_up(buffer);
}

}  // namespace aureole::preload
