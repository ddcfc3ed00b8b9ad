// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/box.hpp"

namespace aureole::md {

/// The distance of a cell along Hilbert's curve, three bits a level (J. Skilling, AIP Conf. Proc.
/// 707, 381 (2004)).
AUREOLE_FN std::uint32_t hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z,
                                     int levels) {
    std::uint32_t r[3] = {x, y, z};
    for (std::uint32_t q = 1u << (levels - 1); q > 1; q >>= 1) {
        const std::uint32_t below = q - 1;
        for (int k = 0; k < 3; ++k) {
            if ((r[k] & q) != 0) {
                r[0] ^= below;
            } else {
                const std::uint32_t t = (r[0] ^ r[k]) & below;
                r[0] ^= t, r[k] ^= t;
            }
        }
    }
    r[1] ^= r[0], r[2] ^= r[1];
    std::uint32_t t = 0;
    for (std::uint32_t q = 1u << (levels - 1); q > 1; q >>= 1)
        if ((r[2] & q) != 0) t ^= q - 1;
    std::uint32_t key = 0;
    for (int bit = levels - 1; bit >= 0; --bit)
        for (int k = 0; k < 3; ++k) key = key << 1 | ((r[k] ^ t) >> bit & 1);
    return key;
}

/// The keys of particles from `first` on along the curve, and their numbers, to be sorted with
/// them.
struct HilbertKeys {
    using device_kernel = void;
    core::Box box;
    int levels;
    std::int64_t first;
    const core::Vec3d* position;
    std::uint32_t* key;
    std::int32_t* order;

    AUREOLE_FN void operator()(std::int64_t k) const {
        const auto i = first + k;
        const auto f = box.fractional(position[i]);
        key[k] = hilbert_key(cell(f.x, box.periodic_x), cell(f.y, box.periodic_y),
                             cell(f.z, box.periodic_z), levels);
        order[k] = static_cast<std::int32_t>(i);
    }

  private:
    AUREOLE_FN std::uint32_t cell(double f, bool periodic) const {
        const double cells = double(1u << levels);
        const double at = (periodic ? f + 0.5 - std::floor(f + 0.5) : f + 0.5) * cells;
        return !(at > 0) ? 0u : at >= cells ? (1u << levels) - 1 : static_cast<std::uint32_t>(at);
    }
};

}  // namespace aureole::md
