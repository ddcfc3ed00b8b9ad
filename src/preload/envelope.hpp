// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "preload/bounce.hpp"
#include "preload/handle.hpp"
#include "preload/node.hpp"
#include "preload/staging.hpp"

namespace aureole::preload {

/// Where a message goes.
struct Destination {
    int rank;
    int tag;
    Handle comm;
};

/// A message whose payload the receiver fetches from this process's device. MPI carries a header in
/// its place, in synchronous mode: once that has arrived, the receiver knows where the payload is.
class Envelope {
  public:
    /// Null if the message goes through the host: it is small, or its receiver is on another node,
    /// has no such library, or cannot map memory of this device.
    static std::unique_ptr<Envelope> make(std::unique_ptr<Staged> payload, const Destination& to);
    /// Whether messages of this size may have envelopes at all.
    static bool suits(std::int64_t bytes, const Allocation& at);

    Envelope(const Envelope&) = delete;
    Envelope& operator=(const Envelope&) = delete;
    /// Withdraws a message that was not sent.
    ~Envelope();

    const void* header() const { return header_.data(); }
    int length() const;
    /// After the header has arrived: the payload is fetched, or is moved to memory of ours, so that
    /// the program may use its buffer again.
    void finish();

  private:
    Envelope(int slot, std::shared_ptr<MappedPage> receiver, std::unique_ptr<Staged> payload);
    bool offer(int tag);
    void settle();
    bool is_fetched_soon() const;
    bool move();

    int slot_;
    std::shared_ptr<MappedPage> receiver_;
    std::unique_ptr<Staged> payload_;
    bool is_finished_ = false;
    std::array<std::byte, Header::most> header_{};
};

/// How many messages this process has sent in envelopes.
long messages_sent_straight();

/// Waits, at the end of MPI, until the others have fetched what is theirs.
void finish_envelopes();

}  // namespace aureole::preload
