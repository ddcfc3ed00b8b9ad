// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "drivers/driver.hpp"

namespace aureole::drivers {

/// A range of device addresses.
struct DeviceRange {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
    bool holds(std::uintptr_t at, std::size_t n) const {
        return at >= begin && n <= bytes && at - begin <= bytes - n;
    }
};

/// A range of device memory that the processor loads from and stores to, until the object ends.
/// The device must have no work on these bytes.
class HostMapping {
  public:
    HostMapping(DeviceRange range, std::byte* data) : range_(range), data_(data) {}
    HostMapping(const HostMapping&) = delete;
    HostMapping& operator=(const HostMapping&) = delete;
    virtual ~HostMapping() = default;

    const DeviceRange& range() const { return range_; }
    /// The processor's address of the range.
    std::byte* data() const { return data_; }
    /// Copies `bytes` bytes from the device address `from`.
    void load(void* to, const std::byte* from, std::size_t bytes) const {
        read(to, at(from), bytes);
    }
    /// Copies to the device address `to`; returns when the bytes have arrived in device memory.
    void store(std::byte* to, const void* from, std::size_t bytes) const {
        write(at(to), from, bytes);
        // Stores are posted. A load from the same place returns when they are done, so that a copy
        // which another device makes by another link cannot overtake them.
        static_cast<void>(*static_cast<const volatile std::byte*>(at(to) + bytes - 1));
    }

  protected:
    virtual void read(void* to, const std::byte* from, std::size_t bytes) const = 0;
    /// With a fence behind the last store.
    virtual void write(std::byte* to, const void* from, std::size_t bytes) const = 0;

  private:
    std::byte* at(const std::byte* device) const {
        return data_ + (reinterpret_cast<std::uintptr_t>(device) - range_.begin);
    }

    DeviceRange range_;
    std::byte* data_;
};

/// One way by which the processor gets at memory of a driver's devices.
class HostWay {
  public:
    virtual ~HostWay() = default;
    virtual const char* name() const = 0;
    /// The range to be mapped for an address of an identified allocation.
    virtual DeviceRange range(const Allocation& of, std::uintptr_t address) const = 0;
    /// Whether a mapping keeps the allocation's memory from going back to the device.
    virtual bool holds_memory() const = 0;
    /// Null if this memory cannot be mapped.
    virtual std::unique_ptr<HostMapping> map(const Allocation& of, const DeviceRange& range) = 0;
};

/// By NVIDIA's GDRCopy, whose library is opened if it is installed; null if it is not, or does not
/// work here.
std::unique_ptr<HostWay> open_gdrcopy();
/// By a file (dma-buf) that the driver gives out for the memory.
std::unique_ptr<HostWay> dma_buf_way();
/// The device's addresses themselves, where all of its memory is in the address space of the bus.
std::unique_ptr<HostWay> large_bar_way();

/// A way to memory of the device of `at` that was tried: what the processor stores, the driver's
/// copies read, and the other way round, on memory of ours. Null if there is none, or if the driver
/// does not tell whether the default stream is idle. Costs some 100 us.
std::unique_ptr<HostWay> find_host_way(const Allocation& at);

/// The pages around a range; `page` is a power of two.
inline DeviceRange whole_pages(std::uintptr_t begin, std::size_t bytes, std::size_t page) {
    const std::uintptr_t first = begin & ~(page - 1);
    return {first, (begin + bytes - first + page - 1) & ~(page - 1)};
}

}  // namespace aureole::drivers
