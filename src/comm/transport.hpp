// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

#include "comm/parcel.hpp"

namespace aureole::comm {

/// Packets between ranks that share no memory. Those of one rank for one other arrive in the order
/// in which they were sent. One rank's calls come one at a time.
class Transport {
  public:
    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    /// Packets that were sent still arrive, unless their receiver takes none for some seconds.
    virtual ~Transport() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// Begins to send a packet to another rank; waits for nobody.
    virtual void send(int to, Bytes packet) = 0;
    /// A packet that has arrived, with the rank that sent it; none if there is no other.
    virtual std::optional<Parcel> receive() = 0;
    /// Returns when a packet may have arrived, or after this time.
    virtual void sleep(std::chrono::nanoseconds time) = 0;
};

}  // namespace aureole::comm
