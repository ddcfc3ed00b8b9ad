// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "comm/heap.hpp"
#include "comm/transport.hpp"

namespace aureole::comm {

/// The heaps of ranks that share no memory, as one rank has them: its own heap, and a mirror of the
/// heap of each other rank, at the same offsets. A mirror holds the data that its rank has handed
/// over, and the data written here to be handed over to that rank. Only receive() puts arriving
/// data into place.
class Mirrors {
  public:
    /// The heaps begin with a Control each.
    Mirrors(std::unique_ptr<Transport> transport, std::span<Heap> heaps);

    /// Copies the bytes at `at`, in the own heap or in the mirror of the heap of rank `whom`, to
    /// the same place as rank `whom` sees it. They leave with the next flush().
    void hand_over(const void* at, std::size_t bytes, int whom);
    /// Tells rank `whom` that this rank has failed.
    void tell_failure(int whom);
    /// Adds a message to those that rank `to` has not taken yet.
    void send(int to, std::span<const std::byte> message);
    bool has_message(int from) const { return !messages_[index(from)].empty(); }
    Bytes take_message(int from);
    /// Sends what waits for one rank, or for all.
    void flush(int whom);
    void flush();
    /// Takes the packets that have arrived; returns whether any has. Throws core::RankError for a
    /// packet that no rank sends.
    bool receive();
    void sleep(std::chrono::nanoseconds time) { transport_->sleep(time); }

  private:
    static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
    void append(int whom, std::uint64_t kind, std::int64_t offset,
                std::span<const std::byte> bytes);
    void take(const Parcel& packet);

    std::unique_ptr<Transport> transport_;
    std::span<Heap> heaps_;
    int rank_;
    std::vector<Bytes> leaving_;               ///< for each rank
    std::vector<std::deque<Bytes>> messages_;  ///< of each rank
};

}  // namespace aureole::comm
