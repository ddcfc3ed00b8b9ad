// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "core/platform.hpp"

namespace aureole::core {

/// Has malloc, too, give large blocks back when they are freed: left to itself, glibc takes ever
/// larger ones from the heap, where a small block above them keeps them for good.
inline void return_freed_memory() {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

/// Memory of large working arrays, aligned to 64 bytes: left uninitialised, and from 32 kB on
/// mapped by itself, so that what is never written takes no memory and what is freed goes back at
/// once.
template <class T>
struct BulkAllocator {
    using value_type = T;
    static constexpr std::size_t mapped_from = std::size_t{32} << 10;  ///< bytes

    BulkAllocator() = default;
    template <class U>
    BulkAllocator(const BulkAllocator<U>&) {}

    T* allocate(std::size_t n) {
        if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
        const std::size_t bytes = n * sizeof(T);
        if (!maps(bytes)) return static_cast<T*>(::operator new(bytes, alignment));
        void* block =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) throw std::bad_alloc();
        return static_cast<T*>(block);
    }
    void deallocate(T* block, std::size_t n) noexcept {
        if (maps(n * sizeof(T)))
            munmap(block, n * sizeof(T));
        else
            ::operator delete(block, alignment);
    }
    template <class U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
    friend bool operator==(const BulkAllocator&, const BulkAllocator&) { return true; }

  private:
    static constexpr std::align_val_t alignment{64};
    static constexpr bool mapping = !addresses_watched;  // bounds of heap blocks alone are known
    static constexpr bool maps(std::size_t bytes) { return mapping && bytes >= mapped_from; }
};

/// Gives the memory of a large array back, and with it what the array holds; pages that are written
/// again take memory again, at 0.1 µs a kilobyte. Arrays below 128 kB stay as they are, and so do
/// pages that are not the array's alone.
inline void forget_contents(void* array, std::size_t bytes) {
    if (bytes < std::size_t{128} << 10) return;
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(array), end = begin + bytes;
    const auto first = (begin + page - 1) / page * page, last = end / page * page;
    madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

/// resize() leaves new elements of plain types uninitialised.
template <class T>
using BulkVector = std::vector<T, BulkAllocator<T>>;

}  // namespace aureole::core
