// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

// Included by vendors whose runtimes have no pool that can be trusted; their names stand before it.

namespace aureole::device::gpu {

/// Memory that streams recycle. A freed block is the same stream's at once, as its work is in
/// order; another stream waits for what the first has until then. Nothing goes back to the driver
/// before memory is short. Thread-safe.
class OwnPool {
  public:
    OwnPool() = default;
    ~OwnPool() { release_all(free_); }
    OwnPool(const OwnPool&) = delete;
    OwnPool& operator=(const OwnPool&) = delete;

    Error open(int) { return success; }

    Error take(void*& memory, std::size_t bytes, Stream stream) {
        const std::size_t size = rounded(bytes);
        if (const Error error = take_free(memory, size, stream); error != success || memory)
            return error;
        Error error = allocate(memory, size);
        if (error == out_of_memory) {
            static_cast<void>(last_error());
            shrink();
            error = allocate(memory, size);
        }
        if (error != success) return error;
        try {
            const std::lock_guard lock(mutex_);
            sizes_.emplace(memory, size);
        } catch (...) {
            release(memory);
            throw;
        }
        return success;
    }

    void give(void* memory, Stream stream) noexcept {
        const std::lock_guard lock(mutex_);
        try {
            free_[stream].emplace(sizes_.at(memory), memory);
        } catch (...) {
            sizes_.erase(memory);  // there is no memory for the note
            release(memory);
        }
    }

    /// The stream has ended, with all its work: its blocks are everybody's.
    void forget(Stream stream) noexcept {
        const std::lock_guard lock(mutex_);
        const auto found = free_.find(stream);
        if (stream == nullptr || found == free_.end()) return;
        free_.at(nullptr).merge(found->second);
        free_.erase(found);
    }

    /// Free blocks go back to the driver, which waits for those who use them still. No lock is held
    /// meanwhile: functions that streams call may give memory back.
    void shrink() {
        FreeBlocks unused{{nullptr, {}}};
        {
            const std::lock_guard lock(mutex_);
            unused.swap(free_);
            for (const auto& [stream, blocks] : unused)
                for (const auto& [bytes, memory] : blocks) sizes_.erase(memory);
        }
        if (synchronize_device() != success) static_cast<void>(last_error());
        release_all(unused);
    }

    /// As long as the result lives no queue begins to record, which must not see what others do to
    /// have its blocks.
    [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }

  private:
    using Blocks = std::multimap<std::size_t, void*>;
    using FreeBlocks = std::map<Stream, Blocks>;

    /// Eight sizes between a power of two and the next, so that blocks fit again.
    static std::size_t rounded(std::size_t bytes) {
        std::size_t step = 512;
        while (bytes / step >= 16) step *= 2;
        return std::max<std::size_t>((bytes + step - 1) / step * step, step);
    }

    static void release_all(const FreeBlocks& free) {
        for (const auto& [stream, blocks] : free)
            for (const auto& [bytes, memory] : blocks) release(memory);
    }

    /// Sets `memory` to a free block, at first to one of the same stream, or to null.
    Error take_free(void*& memory, std::size_t size, Stream stream) {
        const std::lock_guard lock(mutex_);
        memory = nullptr;
        if (const auto own = free_.find(stream); own != free_.end())
            if (auto block = fitting(size, own->second)) return memory = block.mapped(), success;
        for (auto& [other, blocks] : free_) {
            if (other != nullptr && records(other)) continue;
            auto block = fitting(size, blocks);
            if (!block) continue;
            const Error error = wait_for(other, stream);
            if (error == success)
                memory = block.mapped();
            else
                blocks.insert(std::move(block));
            return error;
        }
        return success;
    }

    static Blocks::node_type fitting(std::size_t size, Blocks& blocks) {
        const auto fit = blocks.lower_bound(size);
        if (fit == blocks.end() || fit->first > size + size / 4) return {};
        return blocks.extract(fit);
    }

    static bool records(Stream stream) {
        bool yes = false;
        return is_capturing(yes, stream) != success || yes;
    }

    static Error wait_for(Stream earlier, Stream stream) {
        if (earlier == nullptr) return success;
        Event event = nullptr;
        Error error = make_event(event, false);
        if (error == success) error = record(event, earlier);
        if (error == success) error = wait(stream, event);
        if (event != nullptr) drop(event);
        return error;
    }

    std::mutex mutex_;
    FreeBlocks free_{{nullptr, {}}};  ///< of no stream: anyone's
    std::unordered_map<void*, std::size_t> sizes_;
};

}  // namespace aureole::device::gpu
