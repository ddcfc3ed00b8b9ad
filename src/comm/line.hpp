// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace aureole::comm {

/// A cache line of data, with a flag that holds the number of what was written last.
struct alignas(64) Line {
    static constexpr std::size_t bytes = 56;

    std::atomic<std::uint64_t> flag;
    std::byte data[bytes];
};

static_assert(sizeof(Line) == 64 && std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace aureole::comm
