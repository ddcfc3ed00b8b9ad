// SPDX-License-Identifier: Apache-2.0
#include "drivers/exports.hpp"

#include "core/error.hpp"

namespace aureole::drivers {

MemoryHandle Exports::handle(const Allocation& at, const void* address) {
    Allocation of = at;
    at.driver->identify(of, address);
    const std::lock_guard guard(lock_);
    const auto found = given_.find(of.id);
    if (found != given_.end()) return found->second.handle;
    if (!of.has_handle)
        throw core::DeviceError("device memory cannot be mapped by other processes",
                                "it is from a memory pool or from virtual memory without handles",
                                "");
    const MemoryHandle handle = of.driver->export_handle(of);
    given_[of.id] = {handle, of.driver, of.base};
    return handle;
}

bool Exports::has(std::uint64_t id) const {
    const std::lock_guard guard(lock_);
    return given_.contains(id);
}

std::vector<std::uint64_t> Exports::take_freed() {
    std::vector<std::uint64_t> freed;
    const std::lock_guard guard(lock_);
    for (auto one = given_.begin(); one != given_.end();) {
        const auto* const base = reinterpret_cast<const void*>(one->second.base);
        const auto now = one->second.driver->find(base);
        const bool is_there = now && now->id == one->first;
        if (!is_there) freed.push_back(one->first);
        one = is_there ? std::next(one) : given_.erase(one);
    }
    return freed;
}

std::size_t Exports::size() const {
    const std::lock_guard guard(lock_);
    return given_.size();
}

}  // namespace aureole::drivers
