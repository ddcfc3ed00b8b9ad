// SPDX-License-Identifier: Apache-2.0
#include "device/host/arena.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "core/error.hpp"

namespace aureole::device::host {

namespace {

constexpr std::uint32_t poison_word = 0x7ff7deadu;

std::size_t page() {
    static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

// Opening and closing happens around every kernel of every queue. A lock that ThreadSanitizer
// understands would order the kernels of different queues in its eyes and so hide the very races
// that hostile mode is there to find. Hence a spin lock it cannot see.
[[gnu::no_sanitize("thread"), gnu::noinline]] void lock_unseen(int& gate) {
    while (__atomic_exchange_n(&gate, 1, __ATOMIC_ACQUIRE) != 0) sched_yield();
}

[[gnu::no_sanitize("thread"), gnu::noinline]] void unlock_unseen(int& gate) {
    __atomic_store_n(&gate, 0, __ATOMIC_RELEASE);
}

}  // namespace

Arena::Arena() {
    // Address space only; a machine that limits it gets a smaller one.
    for (std::size_t bytes = std::size_t{64} << 30; bytes >= (std::size_t{64} << 20); bytes /= 2) {
        void* area =
            mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (area == MAP_FAILED) continue;
        base_ = static_cast<std::byte*>(area);
        reserved_ = bytes;
        return;
    }
    throw core::DeviceError("no address space for the hostile host mode", "mmap failed",
                            "Raise the limit (ulimit -v) or use the normal host mode.");
}

Arena::~Arena() { munmap(base_, reserved_); }

void* Arena::allocate(std::size_t bytes) {
    const std::size_t size = (bytes + page() - 1) / page() * page();
    const std::lock_guard lock(mutex_);
    const auto fit = free_.lower_bound(size);
    if (fit != free_.end() && fit->first <= 2 * size) {
        void* block = fit->second;
        sizes_.emplace(block, fit->first);
        free_.erase(fit);
        return block;
    }
    lock_unseen(gate_);
    const std::size_t at = used_;
    const bool room = bytes < reserved_ && at + size + page() <= reserved_;
    if (room) {
        used_ = at + size + page();
        if (openers_ > 0) protect(true);
    }
    unlock_unseen(gate_);
    if (!room)
        throw core::DeviceError("cannot allocate " + std::to_string(bytes >> 20) + " MB",
                                "the hostile host mode has no more address space",
                                "Use fewer particles in this test.");
    sizes_.emplace(base_ + at, size);
    return base_ + at;
}

void Arena::release(void* block) noexcept {
    const std::lock_guard lock(mutex_);
    const auto entry = sizes_.find(block);
    if (entry == sizes_.end()) std::abort();  // not from here, or released twice
    free_.emplace(entry->second, block);
    sizes_.erase(entry);
}

bool Arena::holds(const void* at) const {
    const std::less<const void*> before;
    return !before(at, base_) && before(at, base_ + reserved_);
}

std::size_t Arena::size_of(const void* block) const {
    const std::lock_guard lock(mutex_);
    const auto entry = sizes_.find(const_cast<void*>(block));
    return entry == sizes_.end() ? 0 : entry->second;
}

[[gnu::no_sanitize("thread")]] void Arena::open() {
    lock_unseen(gate_);
    if (openers_++ == 0) protect(true);
    unlock_unseen(gate_);
}

[[gnu::no_sanitize("thread")]] void Arena::close() noexcept {
    lock_unseen(gate_);
    if (--openers_ == 0) protect(false);
    unlock_unseen(gate_);
}

[[gnu::no_sanitize("thread")]] void Arena::protect(bool accessible) noexcept {
    if (used_ == 0) return;
    if (mprotect(base_, used_, accessible ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) std::abort();
}

void Arena::poison(void* block, std::size_t bytes) {
    auto* words = static_cast<std::uint32_t*>(block);
    for (std::size_t i = 0; i < bytes / sizeof(std::uint32_t); ++i) words[i] = poison_word;
}

}  // namespace aureole::device::host
