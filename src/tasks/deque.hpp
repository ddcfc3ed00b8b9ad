// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "device/config.hpp"

namespace aureole::tasks {

/// Work of one worker: the owner pushes and takes at the bottom, others steal at the top (Chase &
/// Lev, SPAA 2005; Lê et al., PPoPP 2013). Their fences are sequentially consistent operations
/// here, which thread sanitizers understand. docs/theory/tasks.md says which order is for what.
template <class T, template <class> class Atomic = std::atomic>
class Deque {
    using Index = std::int64_t;

  public:
    explicit Deque(Index capacity = 256) { grow(0, 0, capacity); }
    Deque(const Deque&) = delete;
    Deque& operator=(const Deque&) = delete;

    /// Adds an item; called by the owner. False if there is no memory for more.
    bool push(T* item) {
        const Index b = bottom_.load(std::memory_order_relaxed);
        const Index t = top_.load(std::memory_order_acquire);
        Ring* ring = ring_.load(std::memory_order_relaxed);
        try {
            if (b - t == ring->capacity) ring = grow(t, b, 2 * ring->capacity);
        } catch (const std::bad_alloc&) {
            return false;
        }
        ring->at(b).store(item, std::memory_order_relaxed);
        bottom_.store(b + 1, std::memory_order_release);
        return true;
    }

    /// Takes the item pushed last, or null; called by the owner.
    T* take() {
        const Index b = bottom_.load(std::memory_order_relaxed) - 1;
        // Only the owner adds, so what looks empty to it is.
        if (top_.load(std::memory_order_relaxed) > b) return nullptr;
        bottom_.store(b, std::memory_order_seq_cst);
        Index t = top_.load(std::memory_order_seq_cst);
        if (t < b) return ring_.load(std::memory_order_relaxed)->get(b);
        // One item, or none: whoever moves the top has it.
        T* item = nullptr;
        if (t == b && top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                                   std::memory_order_relaxed))
            item = ring_.load(std::memory_order_relaxed)->get(b);
        bottom_.store(b + 1, std::memory_order_release);
        return item;
    }

    /// Takes the item pushed first, or null, also where another was faster; called by any thread.
    T* steal() {
        Index t = top_.load(std::memory_order_seq_cst);
        if (t >= bottom_.load(std::memory_order_seq_cst)) return nullptr;
        T* item = ring_.load(std::memory_order_acquire)->get(t);
        return top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                            std::memory_order_relaxed)
                   ? item
                   : nullptr;
    }

    bool empty() const {
        const Index t = top_.load(std::memory_order_seq_cst);
        return t >= bottom_.load(std::memory_order_seq_cst);
    }

  private:
    struct Ring {
        explicit Ring(Index size) : capacity(size), slots(new Atomic<T*>[size]) {}
        auto& at(Index i) { return slots[i & (capacity - 1)]; }
        T* get(Index i) { return at(i).load(std::memory_order_relaxed); }

        Index capacity;  ///< a power of two
        std::unique_ptr<Atomic<T*>[]> slots;
    };

    Ring* grow(Index t, Index b, Index capacity) {
        Ring* const old = ring_.load(std::memory_order_relaxed);
        auto next = std::make_unique<Ring>(capacity);
        for (Index i = t; i < b; ++i) next->at(i).store(old->get(i), std::memory_order_relaxed);
        rings_.push_back(std::move(next));
        ring_.store(rings_.back().get(), std::memory_order_release);
        return rings_.back().get();
    }

    alignas(device::cache_line) Atomic<Index> top_{0};
    alignas(device::cache_line) Atomic<Index> bottom_{0};
    Atomic<Ring*> ring_{nullptr};
    std::vector<std::unique_ptr<Ring>> rings_;  ///< old ones too: a thief may be reading them
};

}  // namespace aureole::tasks
