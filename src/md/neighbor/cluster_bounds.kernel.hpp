// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/box.hpp"
#include "md/neighbor/cluster_layout.hpp"

namespace aureole::md {

/// The numbers that bound a cluster.
enum Bound {
    lo_x,
    lo_y,
    lo_z,
    hi_x,
    hi_y,
    hi_z,
    limit,
    f_lo_x,
    f_hi_x,
    f_lo_y,
    f_hi_y,
    bound_count
};

/// Finds the bounds of clusters.
template <class T>
struct BoundFinder {
    const core::Box& box;
    const T* x;
    T* outer;
    T* search_limits;
    float* const* to;  ///< [bound_count] arrays of a number for each cluster

    /// Writes the bounds of a cluster, and gives all its particles the largest of their limits.
    /// Returns the extent with this cluster in it: z below, z above, largest limit.
    core::Vec3f add(const core::Vec3f& extent, std::int64_t c) const {
        constexpr float inf = std::numeric_limits<float>::infinity();
        const T* block = x + c * block_size;
        double lo[3] = {inf, inf, inf}, hi[3] = {-inf, -inf, -inf};
        double f_lo[2] = {inf, inf}, f_hi[2] = {-inf, -inf}, far = 0;
        for (int k = 0; k < cluster_size; ++k) {
            const double r[3] = {block[k], block[4 + k], block[8 + k]};
            if (r[0] > filler_threshold) continue;
            const auto f = box.fractional({r[0], r[1], r[2]});
            for (int d = 0; d < 3; ++d)
                lo[d] = std::min(lo[d], r[d]), hi[d] = std::max(hi[d], r[d]);
            f_lo[0] = std::min(f_lo[0], f.x), f_hi[0] = std::max(f_hi[0], f.x);
            f_lo[1] = std::min(f_lo[1], f.y), f_hi[1] = std::max(f_hi[1], f.y);
            far = std::max<double>(far, outer[c * block_size + 12 + k]);
        }
        for (int k = 0; k < cluster_size; ++k) outer[c * block_size + 12 + k] = static_cast<T>(far);
        search_limits[c] = static_cast<T>(far);
        // Bounds are single precision; the limit compensates for their rounding.
        const double size = std::abs(hi[0]) + std::abs(hi[1]) + std::abs(hi[2]) + std::abs(lo[0]) +
                            std::abs(lo[1]) + std::abs(lo[2]);
        far += 2e-6 * size;
        for (int d = 0; d < 3; ++d) {
            to[lo_x + d][c] = static_cast<float>(lo[d]);
            to[hi_x + d][c] = static_cast<float>(hi[d]);
        }
        to[limit][c] = static_cast<float>(far);
        to[f_lo_x][c] = static_cast<float>(f_lo[0] + 0.5 - 1e-6);
        to[f_hi_x][c] = static_cast<float>(f_hi[0] + 0.5 + 1e-6);
        to[f_lo_y][c] = static_cast<float>(f_lo[1] + 0.5 - 1e-6);
        to[f_hi_y][c] = static_cast<float>(f_hi[1] + 0.5 + 1e-6);
        return {std::min(extent.x, to[lo_z][c]), std::max(extent.y, to[hi_z][c]),
                std::max(extent.z, to[limit][c])};
    }
};

}  // namespace aureole::md
