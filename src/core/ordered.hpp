// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/gpu/lanes.hpp"
#include "core/macros.hpp"

// Numbers by which threads, processes and devices tell each other what else they have written. On
// GPUs, as in C++, order is transitive: what one block released and another acquired is part of
// what that one releases, also where the second is of wider scope.
namespace aureole::core {

/// Loads a value; all that its writer wrote before storing it can be read afterwards. Writers may
/// be other processes of this machine, or devices.
AUREOLE_FN std::uint64_t load_acquire(const std::uint64_t* at) {
#if AUREOLE_FOR_GPU
    return gpu::load_acquire(at);
#else
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#endif
}

/// Stores a value after all that was written before, for load_acquire() in other processes and on
/// devices.
AUREOLE_FN void store_release(std::uint64_t* at, std::uint64_t value) {
#if AUREOLE_FOR_GPU
    gpu::store_release(at, value);
#else
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
#endif
}

/// Adds one, and returns what was there. What those that counted before had written can be read
/// afterwards by the one that counts. All are of one device.
AUREOLE_FN std::uint32_t count_ordered(std::uint32_t* at) {
#if AUREOLE_FOR_GPU
    return gpu::count_ordered(at);
#else
    return __atomic_fetch_add(at, 1u, __ATOMIC_ACQ_REL);
#endif
}

}  // namespace aureole::core
