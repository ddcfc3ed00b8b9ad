// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

#include "core/wait.hpp"

namespace aureole::core {

/// A lock that is held for some instructions only: who finds it held looks again, and gives way to
/// other threads after a while, as its holder may have no processor.
template <template <class> class Atomic = std::atomic>
class SpinLock {
  public:
    bool try_lock() {
        return !held_.load(std::memory_order_relaxed) &&
               !held_.exchange(true, std::memory_order_acquire);
    }
    void lock() {
        for (int looks = 1; !try_lock(); ++looks) {
            relax();
            if (looks % looks_per_yield == 0) std::this_thread::yield();
        }
    }
    void unlock() { held_.store(false, std::memory_order_release); }

  private:
    static constexpr int looks_per_yield = 64;
    Atomic<bool> held_{false};
};

}  // namespace aureole::core
