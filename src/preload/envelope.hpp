// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "preload/bounce.hpp"
#include "preload/node.hpp"
#include "preload/outgoing.hpp"
#include "preload/staging.hpp"

namespace aureole::preload {

/// A message whose payload the receiver fetches from this process's device. MPI carries a header in
/// its place, in synchronous mode: once that has arrived, the receiver knows where the payload is.
class Envelope final : public Outgoing {
  public:
    /// Null if the message goes through the host: it is small, or its receiver is on another node,
    /// has no such library, or cannot map memory of this device.
    static std::unique_ptr<Envelope> make(std::unique_ptr<Staged> payload, const Destination& to);
    /// Whether messages of this size may have envelopes at all.
    static bool suits(std::int64_t bytes, const Allocation& at);

    ~Envelope() override;

    const void* header() const override { return header_.data(); }
    int length() const override;
    /// The payload is fetched, or is moved to memory of ours.
    void finish() override;

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

/// Whether a rank has answered that it cannot map memory of a device.
bool is_refused(int rank, const Allocation& at);

/// How many messages this process has sent in envelopes.
long messages_sent_straight();

/// Waits, at the end of MPI, until the others have fetched what is theirs.
void finish_envelopes();

}  // namespace aureole::preload
