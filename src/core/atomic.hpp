// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/gpu/lanes.hpp"
#include "core/macros.hpp"

namespace aureole::core {

/// *at |= bits, whatever other threads of the same kernel do.
AUREOLE_FN void atomic_or(std::uint32_t* at, std::uint32_t bits) {
#if AUREOLE_FOR_GPU
    atomicOr(at, bits);
#else
    __atomic_fetch_or(at, bits, __ATOMIC_RELAXED);
#endif
}

/// *at = min(*at, value), whatever other threads of the same kernel do.
AUREOLE_FN void atomic_min(std::uint32_t* at, std::uint32_t value) {
#if AUREOLE_FOR_GPU
    atomicMin(at, value);
#else
    std::uint32_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (value < old && !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
#endif
}

/// *at = min(*at, value) for 64 bits, whatever other threads of the same kernel do.
AUREOLE_FN void atomic_min(std::int64_t* at, std::int64_t value) {
#if AUREOLE_FOR_GPU
    gpu::atomic_min(at, value);
#else
    std::int64_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (value < old && !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
#endif
}

/// *at = max(*at, value), whatever other threads of the same kernel do.
AUREOLE_FN void atomic_max(std::uint32_t* at, std::uint32_t value) {
#if AUREOLE_FOR_GPU
    atomicMax(at, value);
#else
    std::uint32_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (value > old && !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
#endif
}

/// *at += value, whatever other threads of the same kernel do; whole numbers add up alike in any
/// order.
AUREOLE_FN void atomic_add(std::int64_t* at, std::int64_t value) {
#if AUREOLE_FOR_GPU
    atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
#else
    __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
#endif
}

/// Sets *at to `value` if it is `expected`, whatever other threads of the same kernel do; returns
/// what it was.
AUREOLE_FN std::int64_t atomic_compare_exchange(std::int64_t* at, std::int64_t expected,
                                                std::int64_t value) {
#if AUREOLE_FOR_GPU
    return static_cast<std::int64_t>(atomicCAS(reinterpret_cast<unsigned long long*>(at),
                                               static_cast<unsigned long long>(expected),
                                               static_cast<unsigned long long>(value)));
#else
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
#endif
}

}  // namespace aureole::core
