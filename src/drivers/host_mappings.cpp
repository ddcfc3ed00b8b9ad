// SPDX-License-Identifier: Apache-2.0
#include "drivers/host_mappings.hpp"

#include "core/error.hpp"

namespace aureole::drivers {

namespace {

/// Entries of all kinds for each that may be mapped: counts of uses of other allocations.
constexpr std::size_t entries_for_each = 4;
/// One mapping in turn is checked at every so many uses of others.
constexpr unsigned uses_for_a_check = 64;

/// The allocation that an address is in now. Nothing if it is not plain memory of a device: memory
/// of pools and of the virtual memory calls has no handle.
std::optional<Allocation> plain(const std::byte* device, Driver& driver) {
    const auto of = driver.find(device);
    const bool is_plain = of && of->kind == MemoryKind::device && of->has_handle;
    return is_plain ? of : std::nullopt;
}

}  // namespace

std::shared_ptr<const HostMapping> HostMappings::find(const std::byte* device, std::size_t bytes,
                                                      const Allocation& at) try {
    if (has_no_way(at)) return nullptr;
    // Asked again: the buffer of a request may lie in a later allocation than when it was made.
    const auto of = plain(device, *at.driver);
    if (!of || !at.driver->is_idle(*of)) return nullptr;
    const Lock guard(lock_);
    HostWay* const way = way_locked(*of);
    if (way == nullptr) return nullptr;
    const DeviceRange range = way->range(*of, reinterpret_cast<std::uintptr_t>(device));
    if (!range.holds(reinterpret_cast<std::uintptr_t>(device), bytes)) return nullptr;
    Entry& found = entry({at.driver, of->id, range.begin}, *of)->second;
    if (found.mapping == nullptr && ++found.uses >= limits_.uses) map(found, *of, range, *way);
    std::shared_ptr<const HostMapping> mapping = found.mapping;
    // Programs that allocate for each message come by here at least once for each allocation.
    const int checks = mapping == nullptr ? 2 : uses_ % uses_for_a_check == 0 ? 1 : 0;
    for (int k = 0; k < checks; ++k) check_next();
    return mapping;
} catch (const core::DeviceError&) {
    return nullptr;  // if the driver still fails, its copy tells
}

bool HostMappings::has_no_way(const Allocation& at) const {
    const Lock guard(lock_);
    const auto known = ways_.find({at.driver, at.device});
    return known != ways_.end() && known->second == nullptr;
}

/// The entry of a key, which is now the one that was used last.
HostMappings::Entries::iterator HostMappings::entry(const Key& key, const Allocation& of) {
    const auto [found, is_new] = entries_.try_emplace(key);
    Entry& entry = found->second;
    if (is_new) {
        entry.base = of.base;
        entry.by_age = by_age_.insert(by_age_.end(), key);
        if (entries_.size() > entries_for_each * limits_.mappings)
            close(entries_.find(by_age_.front()));
    }
    by_age_.splice(by_age_.end(), by_age_, entry.by_age);
    entry.last = ++uses_;
    return found;
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

/// Makes room and maps a range, if that is possible.
void HostMappings::map(Entry& entry, const Allocation& of, const DeviceRange& range, HostWay& way) {
    const std::size_t held = way.holds_memory() ? of.bytes : 0;
    if (entry.cannot_be_mapped || held > limits_.held) return;
    while (mapped_ >= limits_.mappings || held_ + held > limits_.held)
        if (!close_oldest()) return;
    entry.mapping = way.map(of, range);
    if (entry.mapping == nullptr && close_oldest()) entry.mapping = way.map(of, range);
    entry.cannot_be_mapped = entry.mapping == nullptr;
    if (entry.cannot_be_mapped) return;
    entry.held = held;
    ++mapped_, held_ += held;
}

/// False if none is so old that it may go.
bool HostMappings::close_oldest() {
    for (const Key& key : by_age_) {
        const auto oldest = entries_.find(key);
        if (oldest->second.mapping == nullptr) continue;
        if (uses_ - oldest->second.last < limits_.patience) return false;
        close(oldest);
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

}  // namespace aureole::drivers
