// SPDX-License-Identifier: Apache-2.0
#include "preload/run_list.hpp"

#include <bit>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace aureole::preload {

namespace {

constexpr std::uint64_t largest_unit = 16;

struct Kept {
    std::shared_ptr<const RunList> list;
    std::uint64_t last_use = 0;
};
/// A datatype, a driver, and where its kernels run.
using Key = std::tuple<const Datatype*, comm::Driver*, std::uint64_t>;

struct Lists {
    std::mutex lock;
    std::map<Key, Kept> all;
    std::uint64_t uses = 0;
    std::size_t bytes = 0;

    std::shared_ptr<const RunList> find(const Key& key) {
        const auto found = all.find(key);
        if (found == all.end()) return nullptr;
        found->second.last_use = ++uses;
        return found->second.list;
    }
    void remove(std::map<Key, Kept>::iterator which, std::vector<Kept>& removed) {
        bytes -= which->second.list->bytes();
        removed.push_back(std::move(which->second));
        all.erase(which);
    }
};

Lists& lists() {
    static auto* const all = new Lists;  // outlives MPI's threads
    return *all;
}

std::vector<comm::Run> runs_of(const Datatype& type, std::int64_t n) {
    std::vector<comm::Run> runs;
    runs.reserve(static_cast<std::size_t>(n) + 1);
    type.layout.boxes(0, type.size, [&](const Box& box) {
        for (std::int64_t slice = 0; slice < box.slices; ++slice)
            for (std::int64_t row = 0; row < box.rows; ++row)
                runs.push_back({box.offset + slice * box.slice_stride + row * box.row_stride,
                                box.dense + (slice * box.rows + row) * box.width});
    });
    runs.push_back({0, type.size});
    return runs;
}

}  // namespace

RunList::RunList(const Datatype& type, std::int64_t n, const Allocation& at)
    : driver_(at.driver), n_(n), size_(type.size), extent_(type.extent) {
    const auto runs = runs_of(type, n);
    std::int64_t all = size_ | extent_;
    for (const comm::Run& run : runs) all |= run.offset | run.dense;
    alignment_ = static_cast<std::uint64_t>(all) | largest_unit;
    runs_ = static_cast<comm::Run*>(driver_->allocate(bytes(), at));
    try {
        driver_->copy(runs_, runs.data(), bytes(), at);
        driver_->finish(at);  // `runs` ends here
    } catch (const core::DeviceError&) {
        driver_->release(runs_);
        throw;
    }
}

RunList::~RunList() { driver_->release(runs_); }

comm::RunCopy RunList::copy(std::byte* spread, std::byte* dense, std::int64_t first,
                            std::int64_t bytes) const {
    const std::uint64_t all = alignment_ | reinterpret_cast<std::uintptr_t>(spread) |
                              reinterpret_cast<std::uintptr_t>(dense) |
                              static_cast<std::uint64_t>(first | bytes);
    comm::RunCopy copy;
    copy.runs = runs_, copy.n = n_, copy.spread = spread, copy.dense = dense;
    copy.size = size_, copy.extent = extent_, copy.first = first, copy.bytes = bytes;
    copy.unit = 1 << std::countr_zero(all);
    return copy;
}

std::shared_ptr<const RunList> run_list(const Datatype& type, const Allocation& at) {
    const std::uint64_t place = at.driver->kernels_at(at);
    if (place == 0) return nullptr;
    const Key key{&type, at.driver, place};
    Lists& known = lists();
    {
        const std::lock_guard guard(known.lock);
        if (auto found = known.find(key)) return found;
    }
    const std::int64_t n = type.layout.runs();
    if (n >= static_cast<std::int64_t>(RunList::most_bytes / sizeof(comm::Run))) return nullptr;
    std::shared_ptr<const RunList> made;
    try {
        made = std::make_shared<const RunList>(type, n, at);
    } catch (const core::DeviceError&) {
        return nullptr;
    }
    std::vector<Kept> removed;  // given back without the lock
    const std::lock_guard guard(known.lock);
    if (auto found = known.find(key)) return found;  // another thread was faster
    known.all[key] = {made, ++known.uses};
    known.bytes += made->bytes();
    while (known.bytes > RunList::most_bytes) {
        auto oldest = known.all.begin();
        for (auto k = known.all.begin(); k != known.all.end(); ++k)
            if (k->second.last_use < oldest->second.last_use) oldest = k;
        known.remove(oldest, removed);
    }
    return made;
}

void forget_run_lists(const Datatype& type) {
    std::vector<Kept> removed;
    Lists& known = lists();
    const std::lock_guard guard(known.lock);
    auto k = known.all.lower_bound(Key{&type, nullptr, 0});
    while (k != known.all.end() && std::get<0>(k->first) == &type) known.remove(k++, removed);
}

}  // namespace aureole::preload
