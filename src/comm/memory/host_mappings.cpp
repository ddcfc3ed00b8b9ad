// SPDX-License-Identifier: Apache-2.0
#include "comm/memory/host_mappings.hpp"

#include "core/error.hpp"

namespace aureole::comm {

namespace {

/// Entries of all kinds for each that may be mapped: counts of uses of other allocations.
constexpr std::size_t entries_for_each = 4;
/// One mapping in turn is checked at every so many uses of others.
constexpr unsigned uses_for_a_check = 64;

/// The allocation that an address is in now. Nothing if it is not plain memory of a device: memory
/// of pools and of the virtual memory calls has no handle.
std::optional<Allocation> plain(const std::byte* device, Driver& driver) {
    Allocation of = driver.attributes(device);
    if (of.kind != MemoryKind::device) return {};
    driver.identify(of, device);
    if (!of.has_handle) return {};
    return of;
}

}  // namespace

std::shared_ptr<const HostMapping> HostMappings::find(const std::byte* device, std::size_t bytes,
                                                      const Allocation& at) try {
    Driver& driver = *at.driver;
    const Lock guard(lock_);
    const auto known = ways_.find({&driver, at.device});
    if (known != ways_.end() && known->second == nullptr) return nullptr;
    const auto of = plain(device, driver);
    if (!of || !driver.is_idle(*of)) return nullptr;
    HostWay* const way = way_locked(*of);
    if (way == nullptr) return nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(device);
    const DeviceRange range = way->range(*of, address);
    if (!range.holds(address, bytes)) return nullptr;
    const Key key{&driver, of->id, range.begin};
    const auto [found, is_new] = entries_.try_emplace(key);
    Entry& entry = found->second;
    if (is_new) {
        entry.base = of->base;
        entry.by_age = by_age_.insert(by_age_.end(), key);
        if (entries_.size() > entries_for_each * limits_.mappings)
            close(entries_.find(by_age_.front()));
    }
    by_age_.splice(by_age_.end(), by_age_, entry.by_age);
    if (entry.uses < limits_.uses && ++entry.uses == limits_.uses) map(found, *of, range, *way);
    if (entry.mapping == nullptr || ++found_ % uses_for_a_check == 0) check_next();
    return entry.mapping;
} catch (const core::DeviceError&) {
    return nullptr;  // if the driver still fails, its copy tells
}

const HostWay* HostMappings::way(const Allocation& at) {
    const Lock guard(lock_);
    return way_locked(at);
}

HostWay* HostMappings::way_locked(const Allocation& at) {
    const auto [found, is_new] = ways_.try_emplace({at.driver, at.device});
    if (is_new) found->second = find_host_way(at);
    return found->second.get();
}

void HostMappings::look_after() {
    const Lock guard(lock_);
    if (mapped_ > 0) check_next();
}

/// Makes room and maps a range; the entry stays without a mapping if that is not possible.
void HostMappings::map(Entries::iterator entry, const Allocation& of, const DeviceRange& range,
                       HostWay& way) {
    const std::size_t held = way.holds_memory() ? of.bytes : 0;
    if (held > limits_.held) return;
    while (mapped_ >= limits_.mappings || held_ + held > limits_.held)
        if (!close_oldest()) return;
    auto mapping = way.map(of, range);
    if (mapping == nullptr && close_oldest()) mapping = way.map(of, range);
    if (mapping == nullptr) return;
    entry->second.mapping = std::move(mapping);
    entry->second.held = held;
    ++mapped_, held_ += held;
}

bool HostMappings::close_oldest() {
    for (const Key& key : by_age_) {
        const auto entry = entries_.find(key);
        if (entry->second.mapping == nullptr) continue;
        close(entry);
        return true;
    }
    return false;
}

/// Copies that use the mapping now keep it to their end.
void HostMappings::close(Entries::iterator entry) {
    if (entry->second.mapping != nullptr) --mapped_, held_ -= entry->second.held;
    by_age_.erase(entry->second.by_age);
    entries_.erase(entry);
}

/// Closes the next entry in turn if its allocation is gone.
void HostMappings::check_next() {
    auto next = checked_ ? entries_.upper_bound(*checked_) : entries_.begin();
    if (next == entries_.end()) next = entries_.begin();
    if (next == entries_.end()) return;
    checked_ = next->first;
    const auto* const base = reinterpret_cast<const std::byte*>(next->second.base);
    auto* const driver = const_cast<Driver*>(next->first.driver);
    const auto now = plain(base, *driver);
    if (!now || now->id != next->first.id) close(next);
}

std::size_t HostMappings::size() const {
    const Lock guard(lock_);
    return mapped_;
}

std::size_t HostMappings::held() const {
    const Lock guard(lock_);
    return held_;
}

}  // namespace aureole::comm
