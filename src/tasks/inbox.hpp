// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/spin_lock.hpp"
#include "device/config.hpp"
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

/// Links that are pending: registered by any worker, looked through by one at a time.
template <class Link, class Atomics = StdAtomics>
class Pendings {
  public:
    void add(Link* link) { new_.put(link); }
    /// How many are pending (new ones count as one): not zero from add() to settle().
    std::int64_t count(std::memory_order order = std::memory_order_seq_cst) const {
        return (new_.empty() ? 0 : 1) + known_.load(order);
    }

    bool begin_visit() { return visiting_.try_lock(); }
    /// Gives each new link to `add`; called by the visitor.
    template <class Add>
    void take_new(Add add) {
        // Counted as known while they are on their way.
        std::int64_t known = known_.load(std::memory_order_relaxed);
        known_.store(known + 1, std::memory_order_seq_cst);
        for (Link* link = new_.take_all(); link; ++known) {
            Link* const next = link->next;
            add(link);
            link = next;
        }
        known_.store(known, std::memory_order_seq_cst);
    }
    /// Counts so many known links as pending no more; called by the visitor.
    void settle(std::int64_t number) {
        known_.store(known_.load(std::memory_order_relaxed) - number, std::memory_order_seq_cst);
    }
    void end_visit() { visiting_.unlock(); }

  private:
    Inbox<Link, Atomics> new_;
    alignas(device::cache_line) typename Atomics::template atomic<std::int64_t> known_{0};
    core::SpinLock<Atomics::template atomic> visiting_;
};

}  // namespace aureole::tasks
