// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "preload/handle.hpp"
#include "preload/page.hpp"

namespace aureole::preload {

/// Messages in chunks: a header in the message's place, as for those that go straight, and the
/// payload in pieces on a communicator of ours. Here is what all ranks know of it: rank 0's
/// settings, and a random number by which headers are told from data.
class Chunks {
  public:
    /// Called by all ranks of the communicator, which has those of MPI_COMM_WORLD.
    /// `is_everybody`: the user has said that all ranks of the job have this library.
    void begin(Handle comm, bool is_everybody);

    /// At the end of MPI: no more messages go in chunks.
    void end() { comm_ = 0; }

    /// Whether headers may come that no page of another process tells of.
    bool are_for_all() const { return is_everybody_ && terms_.from >= 0; }
    bool are_possible() const { return comm_ != 0 && terms_.from >= 0; }
    bool suit(std::int64_t bytes) const {
        return are_possible() && bytes >= terms_.from && bytes > most;
    }

    Handle comm() const { return comm_; }
    /// Whether several threads may be in MPI at once.
    bool are_threaded() const { return is_threaded_; }
    int rank() const { return rank_; }
    int size() const { return size_; }
    const Token& token() const { return terms_.token; }
    /// The size of a chunk; the last one of a message may be smaller.
    std::int64_t chunk() const { return terms_.chunk; }

    /// Tags on the communicator. A slot has one message at a time.
    static constexpr int payload_tag(int slot) { return 20000 + slot; }
    static constexpr int announcement_tag(int slot) { return 20000 + Page::slots_n + slot; }
    /// How long the header of a message is: longer than those of mapped messages.
    static constexpr SlotLengths lengths{.least = Header::most + 3 * Header::lengths.step,
                                         .step = 64};
    static constexpr std::int64_t most = lengths.most();
    static_assert(lengths.least % 64 == 32);
    static constexpr std::int64_t length(int slot) { return lengths.at(slot); }
    /// The slot of a message of some length; -1 if it is no header's.
    static constexpr int slot_of(std::int64_t bytes) { return lengths.place(bytes); }

  private:
    struct Terms {
        Token token{};
        std::int64_t from = -1, chunk = 0;
    };

    Handle comm_ = 0;
    int rank_ = -1, size_ = 0;
    bool is_everybody_ = false, is_threaded_ = false;
    Terms terms_;
};

Chunks& chunks();

}  // namespace aureole::preload
