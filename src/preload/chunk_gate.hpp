// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace aureole::preload {

/// How many messages of this process are on their way in chunks.
[[gnu::visibility("hidden")]] extern std::atomic<long> open_in_chunks;

/// Posts all chunks of these messages; waits for their copies from the device.
void post_all_chunks();
/// Posts those that are copied.
void post_ready_chunks();

/// Called before a function of MPI that may wait for another rank, which may be waiting for chunks.
[[gnu::always_inline]] inline void before_waiting() {
    if (open_in_chunks.load(std::memory_order_relaxed) != 0) [[unlikely]]
        post_all_chunks();
}
/// Called before a function of MPI that looks whether something is complete.
[[gnu::always_inline]] inline void before_looking() {
    if (open_in_chunks.load(std::memory_order_relaxed) != 0) [[unlikely]]
        post_ready_chunks();
}

}  // namespace aureole::preload
