// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tasks/atomics.hpp"

namespace aureole::tasks {

/// Links from any worker for the one that looks next, which takes all.
template <class Link, class Atomics = StdAtomics>
class Inbox {
  public:
    void put(Link* link) {
        Link* head = head_.load(std::memory_order_relaxed);
        do link->next = head;
        while (!head_.compare_exchange_weak(head, link, std::memory_order_seq_cst,
                                            std::memory_order_relaxed));
    }
    bool empty() const { return head_.load(std::memory_order_seq_cst) == nullptr; }
    /// A list in the order of arrival.
    Link* take_all() {
        if (empty()) return nullptr;
        Link* list = nullptr;
        for (Link* link = head_.exchange(nullptr, std::memory_order_acq_rel); link;) {
            Link* const next = link->next;
            link->next = list;
            list = link;
            link = next;
        }
        return list;
    }

  private:
    typename Atomics::template atomic<Link*> head_{nullptr};
};

/// A lock that nobody waits for.
template <class Atomics = StdAtomics>
class TryLock {
  public:
    bool try_lock() {
        return !held_.load(std::memory_order_relaxed) &&
               !held_.exchange(true, std::memory_order_acquire);
    }
    void unlock() { held_.store(false, std::memory_order_release); }

  private:
    typename Atomics::template atomic<bool> held_{false};
};

}  // namespace aureole::tasks
