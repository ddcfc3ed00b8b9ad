// SPDX-License-Identifier: Apache-2.0
#include "preload/run_list.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/error.hpp"

namespace aureole::preload {

namespace {

constexpr std::uint64_t largest_unit = 16;

/// The size of all lists of this process in memory of devices.
constexpr std::size_t most_bytes = std::size_t{256} << 20;

std::vector<drivers::Run> runs_of(const Datatype& type, std::int64_t n) {
    std::vector<drivers::Run> runs;
    runs.reserve(static_cast<std::size_t>(n) + 1);
    type.layout.boxes(0, type.size, [&](const Box& box) {
        each_row(box, [&](std::int64_t offset, std::int64_t dense) {
            runs.push_back({offset, dense});
        });
    });
    runs.push_back({0, type.size});
    return runs;
}

}  // namespace

RunList::RunList(const Datatype& type, std::int64_t n, const Allocation& at)
    : at_(at), n_(n), size_(type.size), extent_(type.extent) {
    const auto runs = runs_of(type, n);
    std::int64_t all = size_ | extent_;
    for (const drivers::Run& run : runs) all |= run.offset | run.dense;
    alignment_ = static_cast<std::uint64_t>(all) | largest_unit;
    runs_ = static_cast<drivers::Run*>(at.driver->allocate(bytes(), at));
    try {
        at.driver->copy(runs_, runs.data(), bytes(), at);
        at.driver->finish(at);  // `runs` ends here
    } catch (const core::DeviceError&) {
        at.driver->release(runs_, at_);
        throw;
    }
}

RunList::~RunList() { at_.driver->release(runs_, at_); }

drivers::RunCopy RunList::copy(std::byte* spread, std::byte* dense, std::int64_t first,
                               std::int64_t bytes) const {
    const std::uint64_t all = alignment_ | reinterpret_cast<std::uintptr_t>(spread) |
                              reinterpret_cast<std::uintptr_t>(dense) |
                              static_cast<std::uint64_t>(first | bytes);
    drivers::RunCopy copy;
    copy.runs = runs_, copy.n = n_, copy.spread = spread, copy.dense = dense;
    copy.size = size_, copy.extent = extent_, copy.first = first, copy.bytes = bytes;
    copy.unit = 1 << std::countr_zero(all);
    return copy;
}

std::shared_ptr<const RunList> RunLists::of(const Datatype& type, const Allocation& at) {
    const std::uint64_t place = at.driver->kernels_at(at);
    if (place == 0) return nullptr;
    const Key key{&type, at.driver, place};
    {
        const std::lock_guard guard(lock_);
        if (auto found = find(key)) return found;
    }
    const std::int64_t n = type.layout.runs();
    if (n >= static_cast<std::int64_t>(most_ / sizeof(drivers::Run))) return nullptr;
    std::shared_ptr<const RunList> made;
    try {
        made = std::make_shared<const RunList>(type, n, at);
    } catch (const core::DeviceError&) {
        return nullptr;
    }
    std::vector<Kept> removed;  // given back without the lock
    const std::lock_guard guard(lock_);
    if (auto found = find(key)) return found;  // another thread was faster
    lists_[key] = {made, ++uses_};
    bytes_ += made->bytes();
    while (bytes_ > most_) {
        const auto is_older = [](const auto& a, const auto& b) {
            return a.second.last_use < b.second.last_use;
        };
        remove(std::min_element(lists_.begin(), lists_.end(), is_older), removed);
    }
    return made;
}

void RunLists::forget(const Datatype& type) {
    std::vector<Kept> removed;
    const std::lock_guard guard(lock_);
    auto k = lists_.lower_bound(Key{&type, nullptr, 0});
    while (k != lists_.end() && std::get<0>(k->first) == &type) k = remove(k, removed);
}

std::shared_ptr<const RunList> RunLists::find(const Key& key) {
    const auto found = lists_.find(key);
    if (found == lists_.end()) return nullptr;
    found->second.last_use = ++uses_;
    return found->second.list;
}

RunLists::Lists::iterator RunLists::remove(Lists::iterator which, std::vector<Kept>& removed) {
    bytes_ -= which->second.list->bytes();
    removed.push_back(std::move(which->second));
    return lists_.erase(which);
}

RunLists& run_lists() {
    static auto* const all = new RunLists(most_bytes);  // outlives MPI's threads
    return *all;
}

}  // namespace aureole::preload
