// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aureole::comm {

/// A cache line of data, with a flag that holds the number of what was written last.
struct alignas(64) Line {
    static constexpr std::size_t bytes = 56;

    std::atomic<std::uint64_t> flag;
    std::byte data[bytes];
};

/// Copies so many bytes, at most those of a line: the usual numbers without a loop.
inline void copy_part(std::byte* to, const std::byte* from, std::size_t bytes) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    if (bytes == Line::bytes)
        std::memcpy(to, from, Line::bytes);
    else if (bytes == word)
        std::memcpy(to, from, word);
    else if (bytes != 0)
        std::memcpy(to, from, bytes);
}

static_assert(sizeof(Line) == 64 && std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace aureole::comm
