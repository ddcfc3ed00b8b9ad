// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "drivers/driver.hpp"

namespace aureole::drivers {

/// Handles of this process's allocations that other processes were given. They are known by the id
/// of the allocation, never by its address, which a later allocation may have.
class Exports {
  public:
    /// The handle of the allocation that an address lies in. Throws core::DeviceError, also if the
    /// allocation has none: see Allocation::has_handle.
    MemoryHandle handle(const Allocation& at, const void* address);
    /// Whether an allocation was given out before.
    bool has(std::uint64_t id) const;
    /// Ids of allocations that were freed since they were given out; they are forgotten here. Costs
    /// one call of the driver for each handle.
    std::vector<std::uint64_t> take_freed();
    std::size_t size() const;

  private:
    struct Given {
        MemoryHandle handle;
        Driver* driver;
        std::uintptr_t base;
    };

    mutable std::mutex lock_;
    std::unordered_map<std::uint64_t, Given> given_;
};

}  // namespace aureole::drivers
