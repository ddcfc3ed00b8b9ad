// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "md/particles/fixed_force_column.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md::testing {

/// The forces on n particles.
inline std::vector<core::Vec3d> read_forces(device::Queue& queue, FixedForceColumn& column,
                                            std::int64_t n) {
    const FixedForces there = column.view();
    const auto numbers = [&](std::int64_t* from) {
        return download(queue, device::View<const std::int64_t>{from, FixedForces::room(n)});
    };
    auto fine = numbers(there.fine), coarse = numbers(there.coarse);
    auto unit = download(queue, device::View<const ForceUnit>{there.unit, 1});
    const FixedForces here{fine.data(), coarse.data(), unit.data()};
    std::vector<core::Vec3d> forces;
    for (std::int64_t i = 0; i < n; ++i) forces.push_back(here.read(i));
    return forces;
}

}  // namespace aureole::md::testing
