// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>

namespace aureole::device::host {

/// Memory that nobody can touch, but while at least one opener holds it open: stands for a GPU's
/// memory in tests. Blocks are page-aligned with a page between them.
class Arena {
  public:
    Arena();
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    void* allocate(std::size_t bytes);
    void release(void* block) noexcept;

    /// Whether it is an address of this arena, allocated or not.
    bool holds(const void* at) const;
    /// Bytes of an allocated block, at least as many as were asked for; 0: there is none.
    std::size_t size_of(const void* block) const;

    void open();
    void close() noexcept;

    /// Fills memory with the bit pattern 0x7ff7dead: a signalling NaN as double, a NaN as float, an
    /// absurd index as integer. The arena must be open.
    static void poison(void* block, std::size_t bytes);

  private:
    void protect(bool accessible) noexcept;

    std::byte* base_ = nullptr;
    std::size_t reserved_ = 0;

    // Guarded by gate_, a lock that thread sanitizers do not see (arena.cpp says why).
    int gate_ = 0;
    int openers_ = 0;
    std::size_t used_ = 0;

    mutable std::mutex mutex_;
    std::multimap<std::size_t, void*> free_;
    std::unordered_map<void*, std::size_t> sizes_;
};

}  // namespace aureole::device::host
