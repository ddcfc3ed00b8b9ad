// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "tasks/atomics.hpp"

namespace aureole::tasks {

/// Things from any thread for whoever looks: a vector under a lock.
template <class T, class Atomics = StdAtomics>
class Mailbox {
  public:
    void put(T item) {
        const std::lock_guard lock(mutex_);
        items_.push_back(std::move(item));
        count_.store(items_.size(), std::memory_order_seq_cst);
    }

    bool empty() const { return count_.load(std::memory_order_seq_cst) == 0; }

    /// The item that `choose(count)` says, if there is any.
    template <class Choose>
    T take_one(Choose choose) {
        if (empty()) return {};
        const std::lock_guard lock(mutex_);
        if (items_.empty()) return {};
        std::swap(items_[choose(items_.size())], items_.back());
        T item = std::move(items_.back());
        items_.pop_back();
        count_.store(items_.size(), std::memory_order_seq_cst);
        return item;
    }

  private:
    typename Atomics::mutex mutex_;
    std::vector<T> items_;
    typename Atomics::template atomic<std::size_t> count_{0};
};

}  // namespace aureole::tasks
