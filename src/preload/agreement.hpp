// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preload/handle.hpp"

namespace aureole::preload {

/// Whether all ranks of the job are on this node, have this library and see each other's pages. All
/// ranks know the same: an answer that some of them took otherwise would leave the others waiting
/// in a collective call.
///
/// Rank 0 counts the ranks that are ready and tells them the result, in two phases: a rank that was
/// counted waits for the result, one that lost patience before can no longer be counted.
class Agreement {
  public:
    /// Called once by each rank, when it has shown its page.
    void negotiate();
    /// Called at the end of MPI.
    void end();

    /// From how many bytes on collective calls go straight between devices; negative: none do.
    long collectives_from() const { return collectives_from_; }
    /// A communicator of all ranks for messages of ours; 0 without an agreement, unless the user
    /// has said that all ranks have this library.
    Handle world() const { return world_; }
    /// One of this rank alone, for trials of arguments; 0 without an agreement.
    Handle alone() const { return alone_; }

    /// Tags on it of collective calls; chunks have lower ones.
    static constexpr int first_tag = 32768, tags_of_a_rank = 64, most_ranks = 4096;

  private:
    void negotiate_straight();

    long collectives_from_ = -1;
    Handle world_ = 0, alone_ = 0;
};

Agreement& agreement();

}  // namespace aureole::preload
