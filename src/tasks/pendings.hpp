// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "core/spin_lock.hpp"
#include "device/config.hpp"

namespace aureole::tasks {

/// Links that are pending: registered by any worker, looked through by one at a time.
template <class Link, template <class> class Atomic = std::atomic>
class Pendings {
  public:
    void add(Link* link) {
        Link* head = new_.load(std::memory_order_relaxed);
        do link->next = head;
        while (!new_.compare_exchange_weak(head, link, std::memory_order_seq_cst,
                                           std::memory_order_relaxed));
    }
    /// How many are pending (new ones count as one): not zero from add() to settle().
    std::int64_t count(std::memory_order order = std::memory_order_seq_cst) const {
        return (any_new() ? 1 : 0) + known_.load(order);
    }

    bool begin_visit() { return visiting_.try_lock(); }
    /// Gives each new link to `know`, in the order of arrival; called by the visitor.
    template <class Know>
    void take_new(Know know) {
        // Counted as known while they are on their way.
        std::int64_t known = known_.load(std::memory_order_relaxed);
        known_.store(known + 1, std::memory_order_seq_cst);
        Link* list = nullptr;
        if (any_new())
            for (Link* link = new_.exchange(nullptr, std::memory_order_acq_rel); link;) {
                Link* const next = std::exchange(link->next, list);
                list = std::exchange(link, next);
            }
        for (; list; ++known) {
            Link* const next = list->next;
            know(list);
            list = next;
        }
        known_.store(known, std::memory_order_seq_cst);
    }
    /// Counts so many known links as pending no more; called by the visitor.
    void settle(std::int64_t number) {
        known_.store(known_.load(std::memory_order_relaxed) - number, std::memory_order_seq_cst);
    }
    void end_visit() { visiting_.unlock(); }

  private:
    bool any_new() const { return new_.load(std::memory_order_seq_cst) != nullptr; }

    Atomic<Link*> new_{nullptr};  ///< the last one added
    alignas(device::cache_line) Atomic<std::int64_t> known_{0};
    core::SpinLock<Atomic> visiting_;
};

}  // namespace aureole::tasks
