// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Memory behind a bus, mapped write-combined or uncached.
namespace aureole::core {

constexpr std::size_t uncached_line = 64;  ///< bytes

/// Whether the processor can take whole lines of such memory at a time. An ordinary load of it
/// waits for the bus each time.
inline bool takes_uncached_lines() {
#if defined(__x86_64__)
    static const bool can = __builtin_cpu_supports("sse4.1") != 0;
    return can;
#else
    return false;
#endif
}

/// One line from an aligned address; only if the processor can.
#if defined(__x86_64__)
[[gnu::target("sse4.1")]] inline void take_uncached_line(std::byte* to, const std::byte* from) {
    auto* const source = reinterpret_cast<__m128i*>(const_cast<std::byte*>(from));
    auto* const target = reinterpret_cast<__m128i*>(to);
    const __m128i a = _mm_stream_load_si128(source), b = _mm_stream_load_si128(source + 1);
    const __m128i c = _mm_stream_load_si128(source + 2), d = _mm_stream_load_si128(source + 3);
    _mm_storeu_si128(target, a), _mm_storeu_si128(target + 1, b);
    _mm_storeu_si128(target + 2, c), _mm_storeu_si128(target + 3, d);
}
#else
inline void take_uncached_line(std::byte* to, const std::byte* from) {
    std::memcpy(to, from, uncached_line);
}
#endif

/// Orders all loads and stores before it, of whatever kind, ahead of those behind it.
inline void fence_uncached() {
#if defined(__x86_64__)
    _mm_mfence();
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace aureole::core
