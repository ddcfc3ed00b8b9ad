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

/// The heaps of ranks that share no memory, as one of them has them: its own, and a mirror of each
/// other's, at the same offsets. A mirror holds what its rank has handed over, and what is written
/// here to be handed over to it. What arrives is put into its place by receive() alone.
class Mirrors {
  public:
    /// The heaps begin with a Control each.
    Mirrors(std::unique_ptr<Transport> transport, std::span<Heap> heaps);

    /// Copies what lies at `at`, in the own heap or in the mirror of that of rank `whom`, to the
    /// same place as rank `whom` sees it. It leaves with the next flush().
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
    /// Takes what has arrived; whether anything has. Throws core::RankError if it is not what ranks
    /// send.
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
