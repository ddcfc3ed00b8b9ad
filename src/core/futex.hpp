// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>

namespace aureole::core {

/// Who sleeps at a word: threads of this process, or of all processes that have its memory.
enum class Sleepers { of_process = FUTEX_PRIVATE_FLAG, of_all = 0 };

/// Sleeps while the word has the value `seen`, until it is woken or the time is over; may return
/// earlier.
inline void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t seen,
                       std::chrono::nanoseconds time, Sleepers who = Sleepers::of_process) {
    const timespec most{time.count() / 1'000'000'000, time.count() % 1'000'000'000};
    syscall(SYS_futex, &word, FUTEX_WAIT | static_cast<int>(who), seen, &most, nullptr, 0);
}

/// Wakes all who sleep at the word.
inline void futex_wake(std::atomic<std::uint32_t>& word, Sleepers who = Sleepers::of_process) {
    syscall(SYS_futex, &word, FUTEX_WAKE | static_cast<int>(who), INT_MAX, nullptr, nullptr, 0);
}

}  // namespace aureole::core
