// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>

#include "device/config.hpp"

namespace aureole::device::host {

/// Recycles blocks of host memory: 64-byte aligned, from 2 MB on aligned for and advised to huge
/// pages. Keeps at most a fixed amount that nobody uses. Thread-safe.
class Memory {
  public:
    Memory() = default;
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Throws core::DeviceError when there is no more.
    void* allocate(std::size_t bytes);
    void release(void* block) noexcept;

    /// Bytes kept for reuse.
    std::size_t kept() const;

  private:
    // Under a sanitizer every block is fresh, so that use after release is seen.
    static constexpr std::size_t keep_at_most = sanitized ? 0 : std::size_t{16} << 20;

    mutable std::mutex mutex_;
    std::multimap<std::size_t, void*> free_;
    std::unordered_map<void*, std::size_t> used_;
    std::size_t kept_ = 0;
};

}  // namespace aureole::device::host
