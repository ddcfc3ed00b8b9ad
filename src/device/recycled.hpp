// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "core/platform.hpp"

namespace aureole::device {

/// Memory of one thread at a time for objects that come and go, in blocks of a few sizes that are
/// used again. Any thread may give a block back: it goes to the recycler that it is from. Recyclers
/// outlive whoever uses them, so that blocks may as well.
class Recycler {
  public:
    struct Return {
        void operator()(Recycler* recycler) const noexcept;
    };
    using Handle = std::unique_ptr<Recycler, Return>;
    /// Recyclers of jobs hold nothing else, for each_in_use().
    enum class Holds { anything, jobs };
    /// A recycler that nobody uses.
    static Handle borrow(Holds what);
    /// The calling thread's own; null until it asks, and while the thread ends.
    static Recycler* here() { return here_; }
    static Recycler* of_thread() { return here_ ? here_ : begin_thread(); }

    /// 64-byte aligned; by the recycler's thread. Without a recycler (null) from the heap.
    static void* allocate(Recycler* from, std::size_t bytes) {
        const int list = class_of(std::max<std::size_t>(bytes, 1));
        if (!from || list >= classes) [[unlikely]]
            return from_heap(bytes);
        Free* const block = from->free_[list];
        if (!block) [[unlikely]]
            return from->refill(list, bytes);
        from->free_[list] = block->next;
        if constexpr (core::addresses_watched) watch(block, bytes, true);
        return block;
    }
    /// Gives a block back; called by any thread. `mine` is the recycler of the calling thread.
    static void release(Recycler* mine, void* block) noexcept {
        Slab& slab = *slab_of(block);
        if (slab.owner == mine && mine) [[likely]]
            mine->keep(slab, block);
        else
            give_back(slab, block);
    }

    /// Calls f for each block in use, also of former users, if the first word of those is never
    /// null, as a pointer to virtual functions is; while nobody allocates or releases.
    void each_in_use(const std::function<void(void*)>& f);
    /// Bytes of the system's memory that it has.
    std::size_t bytes() const;

    static constexpr std::size_t largest = 1 << 15;  ///< block, greater ones are the heap's

  private:
    explicit Recycler(Holds what) : holds_(what) {}

    static constexpr std::size_t granule = 64, most_granules = 16, slab_bytes = 1 << 16;
    static constexpr int classes = 21;  ///< 64, 128 … 1024, then 2, 4 … 32 kB

    /// A block that nobody uses; `mark` is null.
    struct Free {
        void* mark;
        Free* next;
    };
    struct alignas(granule) Slab {
        Recycler* owner;
        std::size_t block_bytes, begun;  ///< blocks that were ever in use
        int list;
        std::byte* block(std::size_t k) {
            return reinterpret_cast<std::byte*>(this + 1) + k * block_bytes;
        }
    };

    static int class_of(std::size_t bytes) {
        if (bytes <= granule * most_granules) return static_cast<int>((bytes - 1) / granule);
        return static_cast<int>(std::bit_width(bytes - 1)) + 5;
    }
    static Slab* slab_of(void* block) {
        return reinterpret_cast<Slab*>(reinterpret_cast<std::uintptr_t>(block) & -slab_bytes);
    }
    static Recycler* begin_thread();
    static void* from_heap(std::size_t bytes);
    static void give_back(Slab& slab, void* block) noexcept;
    /// Tells a sanitizer which bytes may be used.
    static void watch(void* from, std::size_t bytes, bool usable) noexcept;
    static Slab* make_slab(Recycler* owner, std::size_t bytes, std::size_t block_bytes, int list);
    void* refill(int list, std::size_t bytes);
    void keep(Slab& slab, void* block) noexcept {
        free_[slab.list] = new (block) Free{nullptr, free_[slab.list]};
        if constexpr (core::addresses_watched)
            watch(static_cast<Free*>(block) + 1, slab.block_bytes - sizeof(Free), false);
    }

    // With the model of a library that is opened at run time each look would be a call.
    [[gnu::tls_model("initial-exec")]] static constinit thread_local Recycler* here_;

    const Holds holds_;
    std::array<Free*, classes> free_{};
    std::array<Slab*, classes> open_{};  ///< slabs with blocks that were never in use
    std::vector<Slab*> slabs_;
    alignas(64) std::atomic<Free*> from_others_{nullptr};
};

/// For std::allocate_shared: memory of the calling thread's recycler.
template <class T>
struct Recycled {
    using value_type = T;
    static_assert(alignof(T) <= 64);
    Recycled() = default;
    template <class U>
    Recycled(const Recycled<U>&) {}

    T* allocate(std::size_t count) {
        return static_cast<T*>(Recycler::allocate(Recycler::of_thread(), count * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t) noexcept {
        Recycler::release(Recycler::here(), memory);
    }
    template <class U>
    bool operator==(const Recycled<U>&) const {
        return true;
    }
};

}  // namespace aureole::device
