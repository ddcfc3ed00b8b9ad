// SPDX-License-Identifier: Apache-2.0
#include "preload/where.hpp"

#include "preload/abi.hpp"
#include "preload/datatype.hpp"
#include "preload/settings.hpp"

namespace aureole::preload::detail {

Drivers drivers = Drivers::unknown;

Allocation look_up(const void* address) {
    // No mapping lies in the first page, and MPI_IN_PLACE is -1 or 1.
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    if (number < 4096 || number == ~std::uintptr_t{0}) return {};
    if (drivers == Drivers::unknown)  // two threads find the same
        drivers =
            settings().is_off || *comm::Driver::all() == nullptr ? Drivers::none : Drivers::some;
    if (drivers == Drivers::none) return {};
    return comm::Driver::look_up(address);
}

Allocation look_up_bottom(Handle type, Count displacement) {
    if (abi().own(type) == abi().datatype_null) return {};
    const auto found = datatype(type);
    if (found->layout.pieces().empty()) return {};
    return look_up(reinterpret_cast<const void*>(displacement + found->layout.pieces()[0].offset));
}

}  // namespace aureole::preload::detail
