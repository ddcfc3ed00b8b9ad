// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/box.hpp"
#include "md/neighbor/cluster_layout.hpp"

namespace aureole::md {

/// A lattice vector of a box, by the number of its shift; zero along axes that are not periodic.
struct LatticeShift {
    core::Vec3d by;
    bool periodic;  ///< along all axes that it has a part of

    AUREOLE_FN LatticeShift(const core::Box& box, int number) {
        const int x = number % 3 - 1, y = number / 3 % 3 - 1, z = number / 9 - 1;
        periodic =
            (x == 0 || box.periodic_x) && (y == 0 || box.periodic_y) && (z == 0 || box.periodic_z);
        by = periodic ? box.lattice(x, y, z) : core::Vec3d{};
    }
};
static_assert(central_shift == 13);

/// All of them, and bits of those along which the box is periodic.
template <class T>
struct LatticeShifts {
    core::Vec3<T> by[shift_count];
    std::uint32_t used = 0;

    LatticeShifts() = default;
    AUREOLE_FN explicit LatticeShifts(const core::Box& box) {
        for (int k = 0; k < shift_count; ++k) {
            const LatticeShift shift(box, k);
            by[k] = {static_cast<T>(shift.by.x), static_cast<T>(shift.by.y),
                     static_cast<T>(shift.by.z)};
            if (shift.periodic) used |= 1u << k;
        }
    }
};

}  // namespace aureole::md
