// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "comm/transport.hpp"

namespace aureole::comm {

/// A transport for ranks that are threads, as if they shared no memory; for tests.
class PacketQueues {
  public:
    /// A seed other than 0: a quarter of the packets comes late, so that packets of different ranks
    /// overtake each other.
    PacketQueues(int ranks, std::uint64_t seed);

    /// The transport of one rank; these queues must outlive it.
    std::unique_ptr<Transport> of(int rank);

  private:
    using Clock = std::chrono::steady_clock;
    struct Packet {
        Bytes bytes;
        Clock::time_point due;
    };
    /// Packets for one receiver.
    struct Inbox {
        std::mutex mutex;
        std::condition_variable changed;
        std::vector<std::deque<Packet>> from;
        std::size_t packets = 0;
        std::size_t next = 0;  ///< the sender whose packets are looked for first
    };
    class Of;

    Inbox& inbox(int rank) { return *inboxes_[static_cast<std::size_t>(rank)]; }

    std::uint64_t seed_;
    std::vector<std::unique_ptr<Inbox>> inboxes_;
};

}  // namespace aureole::comm
