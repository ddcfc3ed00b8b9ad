// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/vec3.hpp"

namespace aureole::md {

/// Forces in double precision.
template <class KernelLayout>
struct ReadForces {
    using device_kernel = typename KernelLayout::device_kernel;
    KernelLayout layout;
    core::Vec3d* to;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto f = layout.read_force(i);
        to[i] = {double(f.x), double(f.y), double(f.z)};
    }
};

/// Stores kernel coordinates and nothing else.
template <class KernelLayout>
struct StoreAll {
    using device_kernel = typename KernelLayout::device_kernel;
    const core::Vec3d* position;
    KernelLayout layout;

    AUREOLE_FN void operator()(std::int64_t i) const { layout.store(i, position[i]); }
};

}  // namespace aureole::md
