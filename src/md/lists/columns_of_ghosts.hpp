// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/particle_columns.hpp"
#include "md/system/system.hpp"

namespace aureole::md {

/// Gives ghosts the present values of a column of numbers or vectors; all ranks call it together.
inline void bring_to_ghosts(device::Queue& queue, Domain& domain, AnyColumn& column,
                            std::int64_t step) {
    const auto bring = [&]<class T>(Column<T>& of) {
        const auto values = of.all();
        domain.forward<T>(
            queue, step, [values](std::int64_t i) { return values[i]; },
            [values](std::int64_t i, const T& value) { values[i] = value; });
    };
    if (column.type() == ElementType::vector)
        bring(static_cast<Column<core::Vec3d>&>(column));
    else
        bring(static_cast<Column<double>&>(column));
}

/// bring_to_ghosts() for columns that potentials read; empty if there are no other ranks.
inline BringToGhosts to_ghosts(device::Queue& queue, System& system) {
    if (system.domain == nullptr) return {};
    return [&queue, &system](AnyColumn& column) {
        bring_to_ghosts(queue, *system.domain, column, system.step);
    };
}

}  // namespace aureole::md
