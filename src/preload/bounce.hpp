// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "preload/page.hpp"

namespace aureole::preload {

/// Device memory of ours, which other processes have mapped: payloads are moved there that cannot
/// be mapped where they are, or that nobody has fetched when their call has to return.
class Bounce {
    struct Block;

  public:
    /// Room for one payload; it goes back to the pool at the end.
    class Piece {
      public:
        Piece() = default;
        Piece(Piece&& other) noexcept { swap(other); }
        Piece& operator=(Piece&& other) noexcept {
            swap(other);
            return *this;
        }
        ~Piece();
        bool exists() const { return of_ != nullptr; }
        std::byte* data() const;
        Location location() const;

      private:
        friend Bounce;
        void swap(Piece& other) noexcept;
        std::shared_ptr<Block> of_;
        std::size_t begin_ = 0, bytes_ = 0;
    };

    /// Nothing if the device has no memory left, or none that others could map.
    Piece take(std::size_t bytes, const drivers::Allocation& at);
    /// Whether memory was given back to a device since the last call.
    bool has_released() { return has_released_.exchange(false); }
    /// Memory of a device by which others can try to map it. Throws core::DeviceError.
    drivers::MemoryHandle trial(const drivers::Allocation& at);

  private:
    struct Block {
        Block(std::size_t n, const drivers::Allocation& at);
        Block(const Block&) = delete;
        Block& operator=(const Block&) = delete;
        ~Block();

        /// Whether it is still there: the program may have reset its device.
        bool is_there() const;

        drivers::Allocation at;
        std::uint64_t context = 0;
        std::byte* memory = nullptr;
        drivers::MemoryHandle handle;
        std::map<std::size_t, std::size_t> free;  ///< lengths, by where they begin
    };

    static bool fits(Block& block, std::size_t bytes, Piece& piece);
    Piece take_locked(std::size_t bytes, const drivers::Allocation& at);

    std::mutex lock_;
    std::atomic<bool> has_released_ = false;
    std::vector<std::shared_ptr<Block>> blocks_;
};

Bounce& bounce();

}  // namespace aureole::preload
