// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "device/config.hpp"

namespace aureole::device::host {

/// Recycles blocks of host memory: 64-byte aligned, from 2 MB on aligned for and advised to huge
/// pages. Blocks of 64 kB and more share such pages in slabs, which live as long as the memory: a
/// small system's columns then take few entries of the processor's address tables. Keeps at most a
/// fixed amount beside the slabs that nobody uses. Thread-safe.
class Memory {
  public:
    Memory() = default;
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Throws core::DeviceError when there is no more.
    void* allocate(std::size_t bytes);
    void release(void* block) noexcept;

    /// Bytes kept for reuse beside those in slabs.
    std::size_t kept() const;

  private:
    // Under a sanitizer every block is fresh, so that use after release is seen.
    static constexpr std::size_t keep_at_most = sanitized ? 0 : std::size_t{2} << 20;
    static constexpr bool has_slabs = !sanitized;

    std::byte* from_slab(std::size_t bytes);
    bool in_slab(const void* block) const;

    mutable std::mutex mutex_;
    std::multimap<std::size_t, void*> free_;
    std::unordered_map<void*, std::size_t> used_;
    std::vector<std::byte*> slabs_;
    std::size_t slab_used_ = 0;  ///< of the last one
    std::size_t kept_ = 0;
};

}  // namespace aureole::device::host
