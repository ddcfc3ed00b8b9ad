// SPDX-License-Identifier: Apache-2.0
#include "comm/memory/bus_copy.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace aureole::comm {

namespace {

constexpr std::size_t line = 64;

std::size_t past_line(const std::byte* at) {
    return reinterpret_cast<std::uintptr_t>(at) % line;
}

#if defined(__x86_64__)

/// A line at an aligned address, by loads that may take it from the buffer of its first one.
[[gnu::target("sse4.1")]] void take_line(std::byte* to, const std::byte* from) {
    auto* const source = reinterpret_cast<__m128i*>(const_cast<std::byte*>(from));
    auto* const target = reinterpret_cast<__m128i*>(to);
    const __m128i a = _mm_stream_load_si128(source), b = _mm_stream_load_si128(source + 1);
    const __m128i c = _mm_stream_load_si128(source + 2), d = _mm_stream_load_si128(source + 3);
    _mm_storeu_si128(target, a), _mm_storeu_si128(target + 1, b);
    _mm_storeu_si128(target + 2, c), _mm_storeu_si128(target + 3, d);
}

bool takes_lines() {
    static const bool can = __builtin_cpu_supports("sse4.1") != 0;
    return can;
}

void fence_stores() { _mm_sfence(); }

#else

void take_line(std::byte*, const std::byte*) {}
bool takes_lines() { return false; }
void fence_stores() { std::atomic_thread_fence(std::memory_order_seq_cst); }

#endif

}  // namespace

void copy_from_bus(void* to, const std::byte* from, std::size_t bytes) {
    auto* target = static_cast<std::byte*>(to);
    if (!takes_lines()) {
        std::memcpy(target, from, bytes);
        return;
    }
#if defined(__x86_64__)
    _mm_mfence();  // streaming loads are not ordered after earlier ones
#endif
    alignas(line) std::byte whole[line];
    while (bytes > 0) {
        const std::size_t before = past_line(from), n = std::min(bytes, line - before);
        if (n == line) {
            take_line(target, from);
        } else {  // a page has whole lines, so that this reads nothing that is not mapped
            take_line(whole, from - before);
            std::memcpy(target, whole + before, n);
        }
        target += n, from += n, bytes -= n;
    }
}

void copy_to_bus(std::byte* to, const void* from, std::size_t bytes) {
    const auto* source = static_cast<const std::byte*>(from);
    const auto store = [&]<class Word>(Word word) {
        std::memcpy(&word, source, sizeof word);
        *reinterpret_cast<volatile Word*>(to) = word;
        to += sizeof word, source += sizeof word, bytes -= sizeof word;
    };
    while (bytes > 0 && reinterpret_cast<std::uintptr_t>(to) % sizeof(std::uint64_t) != 0)
        store(std::uint8_t{});
    while (bytes >= sizeof(std::uint64_t)) store(std::uint64_t{});
    while (bytes > 0) store(std::uint8_t{});
    fence_stores();
}

}  // namespace aureole::comm
