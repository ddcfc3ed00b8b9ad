// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "drivers/host_mapping.hpp"

namespace aureole::drivers {

struct HostMappingLimits {
    std::size_t mappings = 256;
    /// Of allocations whose memory stays with their mappings [bytes].
    std::size_t held = std::size_t{256} << 20;
    /// An allocation is mapped when it is asked for as often as this.
    int uses = 2;
    /// A mapping stays for so many uses of others.
    std::uint64_t patience = 1024;
};

/// Device memory of this process that is mapped for its processor. A mapping stays until the
/// program has freed the memory, or until another one needs its room and it was not used for long:
/// it costs as much as some ten copies of the driver, so that a program with more buffers than
/// there is room for keeps those that it has.
class HostMappings {
  public:
    explicit HostMappings(HostMappingLimits limits = {}) : limits_(limits) {}
    HostMappings(const HostMappings&) = delete;
    HostMappings& operator=(const HostMappings&) = delete;

    /// The mapping of bytes in device memory, if the processor may copy them now as well as the
    /// driver: the default stream is idle. Else null, also at an allocation's first uses.
    std::shared_ptr<const HostMapping> find(const std::byte* device, std::size_t bytes,
                                            const Allocation& at);
    /// The way to memory of a device, which is tried the first time; null if there is none.
    const HostWay* way(const Allocation& at);
    /// Closes a mapping of freed memory, if the next one in turn is one.
    void look_after();

    std::size_t size() const;
    /// Bytes of allocations that mappings hold.
    std::size_t held() const;

  private:
    /// Numbers of allocations are those of a driver.
    struct Key {
        const Driver* driver;
        std::uint64_t id;
        std::uintptr_t begin;  ///< of the mapped range
        auto operator<=>(const Key&) const = default;
    };
    struct Entry {
        std::shared_ptr<const HostMapping> mapping;
        bool cannot_be_mapped = false;
        int uses = 0;
        std::uintptr_t base = 0;  ///< of the allocation
        std::size_t held = 0;
        std::uint64_t last = 0;  ///< when it was used, in uses of all
        std::list<Key>::iterator by_age;
    };
    using Entries = std::map<Key, Entry>;
    using Lock = std::unique_lock<std::mutex>;

    bool has_no_way(const Allocation& at) const;
    HostWay* way_locked(const Allocation& at);
    Entries::iterator entry(const Key& key, const Allocation& of);
    void map(Entry& entry, const Allocation& of, const DeviceRange& range, HostWay& way);
    bool close_oldest();
    void close(Entries::iterator entry);
    void check_next();

    HostMappingLimits limits_;
    mutable std::mutex lock_;
    std::map<std::pair<const Driver*, int>, std::unique_ptr<HostWay>> ways_;
    Entries entries_;
    std::list<Key> by_age_;  // the one used longest ago first
    std::optional<Key> checked_;
    std::size_t mapped_ = 0, held_ = 0;
    std::uint64_t uses_ = 0;
};

}  // namespace aureole::drivers
