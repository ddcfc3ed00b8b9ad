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
    ~OwnPool() {
        for (const auto& [stream, blocks] : free_)
            for (const auto& [bytes, memory] : blocks) release(memory);
    }
    OwnPool(const OwnPool&) = delete;
    OwnPool& operator=(const OwnPool&) = delete;

    Error open(int) { return success; }

    Error take(void*& memory, std::size_t bytes, Stream stream) {
        const std::lock_guard lock(mutex_);
        const std::size_t size = rounded(bytes);
        if (take_free(memory, size, free_[stream])) return success;
        for (auto& [other, blocks] : free_)
            if (take_free(memory, size, blocks)) return wait_for(other, stream);
        Error error = allocate(memory, size);
        if (error == out_of_memory) {
            static_cast<void>(last_error());
            give_back();
            error = allocate(memory, size);
        }
        if (error == success) sizes_.emplace(memory, size);
        return error;
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
        if (stream != nullptr) free_[nullptr].merge(free_[stream]), free_.erase(stream);
    }

  private:
    using Blocks = std::multimap<std::size_t, void*>;

    /// Eight sizes between a power of two and the next, so that blocks fit again.
    static std::size_t rounded(std::size_t bytes) {
        std::size_t step = 512;
        while (bytes / step >= 16) step *= 2;
        return std::max<std::size_t>((bytes + step - 1) / step * step, step);
    }

    static bool take_free(void*& memory, std::size_t size, Blocks& blocks) {
        const auto fit = blocks.lower_bound(size);
        if (fit == blocks.end() || fit->first > size + size / 4) return false;
        memory = fit->second;
        blocks.erase(fit);
        return true;
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

    void give_back() {
        static_cast<void>(synchronize_device());
        for (auto& [stream, blocks] : free_) {
            for (const auto& [bytes, memory] : blocks) sizes_.erase(memory), release(memory);
            blocks.clear();
        }
    }

    std::mutex mutex_;
    std::map<Stream, Blocks> free_;  ///< of no stream: anyone's
    std::unordered_map<void*, std::size_t> sizes_;
};

}  // namespace aureole::device::gpu
