// SPDX-License-Identifier: Apache-2.0
#include "preload/where.hpp"

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
        unknown.driver = *comm::Driver::all();
        unknown.kind = comm::MemoryKind::unknown;
        return unknown;
    }
}

}  // namespace

void throw_if_unknown(const Allocation& at) {
    if (at.kind == comm::MemoryKind::unknown) throw core::DeviceError(why_unknown);
}

namespace detail {

Drivers drivers = Drivers::unknown;

Allocation look_up(const void* address) noexcept {
    // No mapping lies in the first page, and MPI_IN_PLACE is -1 or 1.
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    if (number < 4096 || number == ~std::uintptr_t{0}) return {};
    if (drivers == Drivers::unknown)  // two threads find the same
        drivers =
            settings().is_off || *comm::Driver::all() == nullptr ? Drivers::none : Drivers::some;
    if (drivers == Drivers::none) return {};
    return guarded([=] { return comm::Driver::look_up(address); });
}

Allocation look_up_bottom(Handle type, Count displacement) noexcept {
    if (abi().own(type) == abi().datatype_null) return {};
    return guarded([=]() -> Allocation {
        const auto found = datatype(type);
        if (found->layout.pieces().empty()) return {};
        return look_up(
            reinterpret_cast<const void*>(displacement + found->layout.pieces()[0].offset));
    });
}

}  // namespace detail

}  // namespace aureole::preload
