// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace aureole::tasks {

/// Links that wait for a result: one word holds the last link of their list, or says that the list
/// is closed. A link is added before the list is closed, and is returned by close(), or finds the
/// list closed: no link is lost, and none is returned twice.
template <class Link, template <class> class Atomic = std::atomic>
class Waiters {
  public:
    /// False if the list is closed; the link is then alone, also if others were before it.
    bool add(Link* link) {
        std::uintptr_t head = word_.load(std::memory_order_acquire);
        do {
            link->next = head & 1 ? nullptr : reinterpret_cast<Link*>(head);
            if (head & 1) return false;
        } while (!word_.compare_exchange_weak(head, reinterpret_cast<std::uintptr_t>(link),
                                              std::memory_order_acq_rel,
                                              std::memory_order_acquire));
        return true;
    }

    /// Closes the list; called once, by the maker of the result. All who see the list closed see
    /// what was written before.
    Link* close(bool failed) {
        return reinterpret_cast<Link*>(word_.exchange(failed ? 3 : 1, std::memory_order_acq_rel));
    }

    bool closed() const { return word_.load(std::memory_order_acquire) & 1; }
    bool failed() const { return word_.load(std::memory_order_acquire) == 3; }
    /// The last link added to a list that is not closed; for quiet moments.
    Link* waiting() const {
        const std::uintptr_t head = word_.load(std::memory_order_acquire);
        return head & 1 ? nullptr : reinterpret_cast<Link*>(head);
    }

  private:
    Atomic<std::uintptr_t> word_{0};
};

/// Holders of an object. drop() is true for the last.
template <template <class> class Atomic = std::atomic>
class Holders {
  public:
    explicit Holders(int count) : count_(count) {}
    void add() { count_.fetch_add(1, std::memory_order_relaxed); }
    /// For a holder: whether it is the only one. Nobody is left then who could add another.
    bool alone() const { return count_.load(std::memory_order_acquire) == 1; }
    bool drop() { return alone() || count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  private:
    Atomic<int> count_;
};

}  // namespace aureole::tasks
