// SPDX-License-Identifier: Apache-2.0
// Device memory by a file of the driver's, or where the processor has it anyway.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drivers/bus_copy.hpp"
#include "drivers/host_mapping.hpp"
#include "drivers/host_reach.hpp"

namespace aureole::drivers {

namespace {

std::size_t page() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

/// Memory that is copied by loads and stores of ours.
class BusMapping : public HostMapping {
  public:
    using HostMapping::HostMapping;

  protected:
    void read(void* to, const std::byte* from, std::size_t bytes) const override {
        copy_from_bus(to, from, bytes);
    }
    void write(std::byte* to, const void* from, std::size_t bytes) const override {
        copy_to_bus(to, from, bytes);
    }
};

class MappedFile final : public BusMapping {
  public:
    using BusMapping::BusMapping;
    ~MappedFile() override { munmap(data(), range().bytes); }
};

class DmaBuf final : public HostWay {
  public:
    const char* name() const override { return "dma-buf"; }
    DeviceRange range(const Allocation& of, std::uintptr_t) const override {
        return whole_pages(of.base, of.bytes, page());
    }
    bool holds_memory() const override { return true; }
    std::unique_ptr<HostMapping> map(const Allocation& of, const DeviceRange& range) override {
        const int file = of.driver->open_dma_buf(range.begin, range.bytes, of);
        if (file < 0) return nullptr;
        void* const mapped =
            mmap(nullptr, range.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);  // the mapping keeps what it needs
        if (mapped == MAP_FAILED) return nullptr;
        return std::make_unique<MappedFile>(range, static_cast<std::byte*>(mapped));
    }
};

/// Memory of a device whose path from the host has a cache: a write to its register empties it.
class LargeBarMapping final : public BusMapping {
  public:
    LargeBarMapping(const DeviceRange& range, volatile std::uint32_t* flush)
        : BusMapping(range, reinterpret_cast<std::byte*>(range.begin)), flush_(flush) {}

  private:
    void read(void* to, const std::byte* from, std::size_t bytes) const override {
        *flush_ = 1;
        BusMapping::read(to, from, bytes);
    }
    void write(std::byte* to, const void* from, std::size_t bytes) const override {
        BusMapping::write(to, from, bytes);
        *flush_ = 1;
    }

    volatile std::uint32_t* flush_;
};

class LargeBar final : public HostWay {
  public:
    const char* name() const override { return "large BAR"; }
    DeviceRange range(const Allocation& of, std::uintptr_t) const override {
        return {of.base, of.bytes};
    }
    bool holds_memory() const override { return false; }
    /// Memory of the virtual memory calls has addresses that the host may not touch.
    std::unique_ptr<HostMapping> map(const Allocation& of, const DeviceRange& range) override {
        volatile std::uint32_t* const flush = of.driver->host_flush_register(of);
        if (flush == nullptr) return nullptr;
        const auto* const first = reinterpret_cast<const std::byte*>(range.begin);
        if (!host_reads(first) || !host_reads(first + range.bytes - 1)) return nullptr;
        return std::make_unique<LargeBarMapping>(range, flush);
    }
};

}  // namespace

std::unique_ptr<HostWay> dma_buf_way() { return std::make_unique<DmaBuf>(); }
std::unique_ptr<HostWay> large_bar_way() { return std::make_unique<LargeBar>(); }

}  // namespace aureole::drivers
