// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "comm/world.hpp"
#include "device/threads/thread_pool.hpp"

namespace aureole::comm {

/// Memory that all ranks of a node read and write: numbered blocks in the heap of the first, which
/// grow and are used again, as heaps free nothing. The mesh of long-range forces lies there.
class CommonMemory {
  public:
    explicit CommonMemory(World& world) : world_(world) {}
    /// Throws core::InputError where ranks share no memory.
    void require() const;

    World& world() { return world_; }
    /// The block of that number, with room for so many numbers, whose values are any. All ranks
    /// call it together, with the same arguments.
    template <class T>
    T* block(int number, std::int64_t n) {
        return reinterpret_cast<T*>(block_bytes(number, n * static_cast<std::int64_t>(sizeof(T))));
    }
    /// A block in the heap of this rank that others may read; any of its threads may ask for it,
    /// without the others.
    template <class T>
    Span<T> own(int number, std::int64_t n) {
        const auto bytes = own_bytes(number, n * static_cast<std::int64_t>(sizeof(T)));
        return {world_.rank(), bytes.offset, n};
    }

  private:
    std::byte* block_bytes(int number, std::int64_t bytes);
    Span<std::byte> own_bytes(int number, std::int64_t bytes);

    World& world_;
    std::map<int, Span<std::byte>> blocks_, own_;
    std::mutex mutex_;  ///< of own_ and the heap
};

/// The part of n items that one of a rank's threads works on, where all ranks share them.
inline device::Range part_of(World& world, std::int64_t n, int thread, int threads) {
    const auto of_rank = device::part_of(n, world.rank(), world.size());
    const auto part = device::part_of(of_rank.end - of_rank.begin, thread, threads);
    return {of_rank.begin + part.begin, of_rank.begin + part.end};
}

}  // namespace aureole::comm
