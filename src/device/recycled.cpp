// SPDX-License-Identifier: Apache-2.0
#include "device/recycled.hpp"

#include <cstdlib>
#include <mutex>

extern "C" {  // of AddressSanitizer's runtime, where it is there
void __asan_poison_memory_region(const volatile void*, std::size_t);
void __asan_unpoison_memory_region(const volatile void*, std::size_t);
}

namespace aureole::device {

namespace {

struct Unused {
    std::mutex mutex;
    std::vector<Recycler*> recyclers;
    static Unused& of(Recycler::Holds what) {
        static auto* const unused = new std::array<Unused, 2>;  // outlive static pools
        return (*unused)[static_cast<std::size_t>(what)];
    }
};

}  // namespace

constinit thread_local Recycler* Recycler::here_ = nullptr;

Recycler* Recycler::begin_thread() {
    static constinit thread_local bool ended = false;
    struct Leave {
        ~Leave() { ended = true, here_ = nullptr; }
        Handle borrowed = borrow(Holds::anything);
    };
    if (ended) return nullptr;
    static thread_local Leave leave;
    return here_ = leave.borrowed.get();
}

Recycler::Handle Recycler::borrow(Holds what) {
    Unused& unused = Unused::of(what);
    const std::lock_guard lock(unused.mutex);
    if (unused.recyclers.empty()) {
        unused.recyclers.reserve(64);
        return Handle(new Recycler(what));
    }
    Recycler* last = unused.recyclers.back();
    unused.recyclers.pop_back();
    return Handle(last);
}

void Recycler::Return::operator()(Recycler* recycler) const noexcept {
    Unused& unused = Unused::of(recycler->holds_);
    const std::lock_guard lock(unused.mutex);
    unused.recyclers.push_back(recycler);
}

void Recycler::watch(void* from, std::size_t bytes, bool usable) noexcept {
    if constexpr (core::addresses_watched) {
        if (usable)
            __asan_unpoison_memory_region(from, bytes);
        else
            __asan_poison_memory_region(from, bytes);
    }
}

void* Recycler::from_heap(std::size_t bytes) {
    return make_slab(nullptr, sizeof(Slab) + bytes, bytes, 0)->block(0);
}

void* Recycler::refill(int list, std::size_t bytes) {
    for (Free* block = from_others_.exchange(nullptr, std::memory_order_acquire); block;) {
        Free* next = block->next;
        keep(*slab_of(block), block);
        block = next;
    }
    if (Free* block = free_[list]) {
        free_[list] = block->next;
        watch(block, bytes, true);
        return block;
    }
    const std::size_t each =
        list < int{most_granules} ? granule * (list + 1) : std::size_t{1} << (list - 5);
    Slab*& slab = open_[list];
    if (!slab || sizeof(Slab) + (slab->begun + 1) * each > slab_bytes) {
        slab = make_slab(this, slab_bytes, each, list);
        slabs_.push_back(slab);
    }
    return slab->block(slab->begun++);
}

Recycler::Slab* Recycler::make_slab(Recycler* owner, std::size_t bytes, std::size_t block_bytes,
                                    int list) {
    void* memory = std::aligned_alloc(slab_bytes, (bytes + granule - 1) & -granule);
    if (!memory) throw std::bad_alloc();
    return new (memory) Slab{owner, block_bytes, 0, list};
}

void Recycler::give_back(Slab& slab, void* block) noexcept {
    if (!slab.owner) return std::free(&slab);
    auto& list = slab.owner->from_others_;
    auto* free = new (block) Free{nullptr, list.load(std::memory_order_relaxed)};
    while (!list.compare_exchange_weak(free->next, free, std::memory_order_release,
                                       std::memory_order_relaxed)) {
    }
}

void Recycler::each_in_use(const std::function<void(void*)>& f) {
    for (Slab* slab : slabs_)
        for (std::size_t k = 0; k < slab->begun; ++k)
            if (*reinterpret_cast<void**>(slab->block(k))) f(slab->block(k));
}

std::size_t Recycler::bytes() const { return slabs_.size() * slab_bytes; }

}  // namespace aureole::device
