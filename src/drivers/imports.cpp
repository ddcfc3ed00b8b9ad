// SPDX-License-Identifier: Apache-2.0
#include "drivers/imports.hpp"

#include <utility>

#include "core/error.hpp"

namespace aureole::drivers {

Imports::Use::Use(Use&& other) noexcept : in_(other.in_), entry_(std::move(other.entry_)) {}

Imports::Use& Imports::Use::operator=(Use&& other) noexcept {
    std::swap(in_, other.in_), std::swap(entry_, other.entry_);
    return *this;
}

Imports::Use::~Use() {
    if (entry_ != nullptr) in_->end_use(*entry_);
}

std::byte* Imports::Use::data() const { return static_cast<std::byte*>(entry_->mapped); }

Imports::~Imports() {
    while (!entries_.empty()) close(entries_.begin());
}

Imports::Use Imports::map(std::int64_t owner, const MemoryHandle& handle, const Allocation& at) {
    const Key key{owner, handle.id, at.device, at.driver->context_id(at)};
    const std::lock_guard guard(lock_);
    auto found = entries_.find(key);
    if (found == entries_.end()) {
        while (!entries_.empty() &&
               (entries_.size() >= limits_.mappings || bytes_ + handle.size > limits_.bytes))
            if (!close_oldest_idle()) break;
        auto entry = std::make_shared<Entry>();
        entry->key = key, entry->at = at, entry->bytes = handle.size;
        entry->mapped = open(handle, at);
        entry->by_age = by_age_.insert(by_age_.end(), key);
        bytes_ += entry->bytes;
        found = entries_.emplace(key, std::move(entry)).first;
    }
    Entry& entry = *found->second;
    by_age_.splice(by_age_.end(), by_age_, entry.by_age);
    ++entry.users;
    return {*this, found->second};
}

/// Opens a handle; if the driver has no room for it, after closing what is idle.
void* Imports::open(const MemoryHandle& handle, const Allocation& at) {
    for (;;) try {
            return at.driver->open_handle(handle, at);
        } catch (const core::DeviceError&) {
            if (!close_oldest_idle()) throw;
        }
}

bool Imports::close_oldest_idle() {
    for (const Key& key : by_age_) {
        const auto entry = entries_.find(key);
        if (entry->second->users > 0) continue;
        close(entry);
        return true;
    }
    return false;
}

void Imports::close(Entries::iterator at) {
    const std::shared_ptr<Entry> entry = at->second;
    bytes_ -= entry->bytes;
    by_age_.erase(entry->by_age);
    entries_.erase(at);
    try {
        Driver& driver = *entry->at.driver;
        if (driver.context_id(entry->at) == entry->key.context)  // else it went with its context
            driver.close_handle(entry->mapped, entry->at);
    } catch (const core::DeviceError&) {  // the owner has ended, or the driver is about to
    }
}

Imports::Entries::iterator Imports::drop(Entries::iterator entry) {
    const auto next = std::next(entry);
    if (entry->second->users == 0)
        close(entry);
    else
        entry->second->is_dropped = true;
    return next;
}

void Imports::drop(std::int64_t owner, std::uint64_t id) {
    const std::lock_guard guard(lock_);
    for (auto entry = entries_.lower_bound({owner, id, -1, 0});
         entry != entries_.end() && entry->first.owner == owner && entry->first.id == id;)
        entry = drop(entry);
}

void Imports::drop_all(std::int64_t owner) {
    const std::lock_guard guard(lock_);
    for (auto entry = entries_.lower_bound({owner, 0, -1, 0});
         entry != entries_.end() && entry->first.owner == owner;)
        entry = drop(entry);
}

void Imports::end_use(Entry& entry) {
    const std::lock_guard guard(lock_);
    if (--entry.users == 0 && entry.is_dropped) close(entries_.find(entry.key));
}

std::size_t Imports::size() const {
    const std::lock_guard guard(lock_);
    return entries_.size();
}

std::size_t Imports::bytes() const {
    const std::lock_guard guard(lock_);
    return bytes_;
}

}  // namespace aureole::drivers
