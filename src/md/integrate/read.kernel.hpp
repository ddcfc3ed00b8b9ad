// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/vec3.hpp"

namespace aureole::md {

/// Forces in double precision, for whoever asks.
template <class Place>
struct ReadForces {
    using device_kernel = typename Place::device_kernel;
    Place place;
    core::Vec3d* to;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto f = place.read_force(i);
        to[i] = {double(f.x), double(f.y), double(f.z)};
    }
};

/// Kernel coordinates from positions, with everything else as it was.
template <class Place>
struct StoreAll {
    using device_kernel = typename Place::device_kernel;
    const core::Vec3d* position;
    Place place;

    AUREOLE_FN void operator()(std::int64_t i) const { place.store(i, position[i]); }
};

}  // namespace aureole::md
