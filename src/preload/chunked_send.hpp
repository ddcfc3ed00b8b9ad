// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "preload/chunked_message.hpp"
#include "preload/chunks.hpp"
#include "preload/outgoing.hpp"
#include "preload/page.hpp"

namespace aureole::preload {

/// A message that goes in chunks: its header, and what its call or its request does.
class ChunkedSend final : public Outgoing {
  public:
    /// Null if the message goes as a whole: it is small, its receiver does not know of chunks, or
    /// there is no free slot.
    static std::unique_ptr<ChunkedSend> make(std::unique_ptr<Staged> payload,
                                             const Destination& to);

    ~ChunkedSend() override;
    const void* header() const override { return header_.data(); }
    int length() const override;
    void stay() override;
    void leave() override;
    /// All chunks are copied and posted.
    void finish() override;

  private:
    explicit ChunkedSend(std::shared_ptr<ChunkedMessage> message);

    std::shared_ptr<ChunkedMessage> message_;
    bool is_finished_ = false;
    std::array<std::byte, Chunks::most> header_{};
};

/// Waits for a request of MPI, and posts chunks meanwhile.
int wait_meanwhile(void* request, void* status);

/// At the end of MPI, on all ranks: until all chunks have arrived, or turned out to be for nobody.
void finish_chunks();

}  // namespace aureole::preload
