// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace aureole::core {

/// Tells the processor that a loop waits for another thread: between looks.
inline void relax() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Orders what was stored before it and what is loaded after it. ThreadSanitizer does not know
/// fences, and GCC says so: no plain data may depend on this one alone.
inline void store_before_load() {
#if defined(__SANITIZE_THREAD__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#endif
    std::atomic_thread_fence(std::memory_order_seq_cst);
#if defined(__SANITIZE_THREAD__)
#pragma GCC diagnostic pop
#endif
}

}  // namespace aureole::core
