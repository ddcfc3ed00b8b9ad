// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/box.hpp"
#include "core/macros.hpp"
#include "core/vec3.hpp"

namespace aureole::md {

/// A particle as the kernels of flat lists read it: one load of 16 bytes in mixed precision.
template <class T>
struct alignas(4 * sizeof(T)) Site {
    T x{}, y{}, z{};
    std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t> type = 0;  ///< no padding
};

/// The nearest whole number of one that is small beside 2^22, or 2^51 in double precision: by an
/// addition, as conversions take longer on GPUs.
template <class T>
AUREOLE_FN T nearest_whole(T a) {
    constexpr T shift = sizeof(T) == 4 ? T(1.5 * (1 << 23)) : T(1.5 * (std::int64_t{1} << 52));
    return (a + shift) - shift;
}

/// Separations of sites under periodic boundaries.
template <class T>
struct Images {
    core::Box box;
    T inv_x, inv_y, inv_z;  ///< inverse lengths, 0 where not periodic
    T xy, xz, yz;           ///< off-diagonal components of the lattice vectors

    Images() = default;
    AUREOLE_FN explicit Images(const core::Box& b)
        : box(b),
          inv_x(b.periodic_x ? static_cast<T>(1 / b.lx) : T(0)),
          inv_y(b.periodic_y ? static_cast<T>(1 / b.ly) : T(0)),
          inv_z(b.periodic_z ? static_cast<T>(1 / b.lz) : T(0)),
          xy(static_cast<T>(b.xy * b.ly)),
          xz(static_cast<T>(b.xz * b.lz)),
          yz(static_cast<T>(b.yz * b.lz)) {}

    /// Shortest image of a − b, for separations below half the box.
    AUREOLE_FN core::Vec3<T> separation(const Site<T>& a, const Site<T>& b) const {
        const core::Vec3<T> d{a.x - b.x, a.y - b.y, a.z - b.z};
        const T n3 = nearest_whole(d.z * inv_z);
        const T n2 = nearest_whole((d.y - n3 * yz) * inv_y);
        const T n1 = nearest_whole((d.x - n3 * xz - n2 * xy) * inv_x);
        if (n1 == 0 && n2 == 0 && n3 == 0) return d;
        // Across a face the difference has lost the digits that remain: once more, in double.
        const core::Vec3d s = box.lattice(n1, n2, n3);
        return {static_cast<T>(double(a.x) - double(b.x) - s.x),
                static_cast<T>(double(a.y) - double(b.y) - s.y),
                static_cast<T>(double(a.z) - double(b.z) - s.z)};
    }
};

}  // namespace aureole::md
