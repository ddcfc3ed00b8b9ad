// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>

#include "core/error.hpp"
#include "drivers/copy_runs.kernel.hpp"
#include "preload/tests/done_at_once.hpp"

namespace aureole::preload {

/// A driver for several threads whose device memory is memory of the test. It knows what it has
/// given and counts what it takes back wrongly (`misuses`). A handle is the address of the
/// allocation; each time that one is opened, a copy of the allocation is what is mapped, so that a
/// mapping that was closed too early is freed memory.
class SharedDriver final : public DoneAtOnce {
  public:
    const char* name() const override { return "shared"; }
    int devices() override { return 2; }
    std::string device_name(int) override {
        ++names;
        return "shared device";
    }
    Allocation attributes(const void* address) override {
        const std::lock_guard guard(lock_);
        const auto found = find(address);
        return found == given_.end() ? Allocation{} : found->second;
    }
    void copy(void* to, const void* from, std::size_t bytes, const Allocation&) override {
        std::memcpy(to, from, bytes);
        copied += static_cast<long>(bytes);
    }
    void copy_box(const drivers::BoxCopy& box, const Allocation&) override {
        for (std::size_t z = 0; z < box.depth; ++z)
            for (std::size_t y = 0; y < box.height; ++y)
                std::memcpy(box.to + z * box.to_slice + y * box.to_row,
                            box.from + z * box.from_slice + y * box.from_row, box.width);
        copied += static_cast<long>(box.width * box.height * box.depth);
    }
    void finish(const Allocation&) override {}
    std::uint64_t context_id(const Allocation&) override { return context; }
    std::uint64_t kernels_at(const Allocation&) override { return has_kernels ? 1 : 0; }
    void copy_runs(const drivers::RunCopy& runs, const Allocation&) override {
        drivers::copy_runs(runs, 0, 1, runs.units());
    }
    void* allocate(std::size_t bytes, const Allocation& at) override {
        void* const memory = std::malloc(bytes);
        const std::lock_guard guard(lock_);
        Allocation made = this->at(at.device);
        made.base = reinterpret_cast<std::uintptr_t>(memory);
        made.bytes = bytes, made.id = ++ids_;
        given_[made.base] = made;
        ++allocations;
        return memory;
    }
    void release(void* memory, const Allocation&) noexcept override {
        {
            const std::lock_guard guard(lock_);
            if (given_.erase(reinterpret_cast<std::uintptr_t>(memory)) == 0) ++misuses;
        }
        std::free(memory);
    }
    void identify(Allocation& of, const void* address) override {
        const Allocation known = attributes(address);
        if (!known.on_device()) throw core::DeviceError("this is no memory of the device");
        of = known;
    }
    drivers::MemoryHandle export_handle(const Allocation& of) override {
        drivers::MemoryHandle handle;
        std::memcpy(handle.bytes.data(), &of.base, sizeof of.base);
        handle.id = of.id, handle.size = of.bytes, handle.device = of.device;
        return handle;
    }
    void* open_handle(const drivers::MemoryHandle& handle, const Allocation&) override {
        const std::byte* from = nullptr;
        std::memcpy(&from, handle.bytes.data(), sizeof from);
        if (from == nullptr) throw core::DeviceError("this is no handle");
        void* const mapped = std::malloc(handle.size);
        std::memcpy(mapped, from, handle.size);
        const std::lock_guard guard(lock_);
        open_[mapped] = handle.id;
        most_open = std::max(most_open, open_.size());
        ++opened;
        return mapped;
    }
    void close_handle(void* mapped, const Allocation&) override {
        std::uint64_t id = 0;
        {
            const std::lock_guard guard(lock_);
            const auto found = open_.find(mapped);
            if (found == open_.end()) {
                ++misuses;
                return;
            }
            id = found->second;
            open_.erase(found);
        }
        if (on_close) on_close(id);
        std::free(mapped);
    }
    void* pin(std::size_t bytes, const Allocation&) override {
        ++pins;
        return std::malloc(std::min(bytes, most_pinned));
    }
    void unpin(void* memory) noexcept override {
        ++unpins;
        std::free(memory);
    }

    /// What `attributes` says of memory that has not been identified.
    Allocation at(int device = 0) {
        Allocation all;
        all.driver = this, all.kind = drivers::MemoryKind::device, all.device = device;
        all.has_handle = true;
        return all;
    }
    std::size_t live() const {
        const std::lock_guard guard(lock_);
        return given_.size();
    }
    std::size_t mapped() const {
        const std::lock_guard guard(lock_);
        return open_.size();
    }

    std::atomic<bool> has_kernels = false;
    std::atomic<std::uint64_t> context = 1;
    std::atomic<long> misuses = 0, allocations = 0, pins = 0, unpins = 0, opened = 0, names = 0;
    std::atomic<long> copied = 0;  ///< [bytes]
    std::size_t most_open = 0;
    /// More is promised, but not there: sanitizers take long to prepare what nobody touches.
    std::size_t most_pinned = std::size_t{1} << 20;
    std::function<void(std::uint64_t id)> on_close;  ///< while the mapping is still there

  private:
    std::map<std::uintptr_t, Allocation>::const_iterator find(const void* address) const {
        const auto number = reinterpret_cast<std::uintptr_t>(address);
        auto found = given_.upper_bound(number);
        if (found == given_.begin()) return given_.end();
        --found;
        return number < found->first + found->second.bytes ? found : given_.end();
    }

    mutable std::mutex lock_;
    std::map<std::uintptr_t, Allocation> given_;
    std::map<void*, std::uint64_t> open_;
    static inline std::atomic<std::uint64_t> ids_ = 0;  // no two allocations have the same
};

}  // namespace aureole::preload
