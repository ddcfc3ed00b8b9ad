// SPDX-License-Identifier: Apache-2.0
// A phase of messages between random pairs of ranks, whose matching is certain.
#pragma once

#include "pending.hpp"

namespace twins {

/// Ranks of a communicator in one row; those of an inter-communicator's first group come first.
struct Members {
    explicit Members(const Comm& comm)
        : all(comm.size + comm.remote),
          firsts(!comm.inter() ? comm.size
                 : comm.first  ? comm.size
                               : comm.remote),
          me(comm.inter() && !comm.first ? firsts + comm.rank : comm.rank) {}
    /// The rank by which peers know a member.
    int rank_of(int member) const { return member < firsts ? member : member - firsts; }
    bool may_talk(int a, int b) const { return firsts == all || (a < firsts) != (b < firsts); }
    int all, firsts, me;
};

/// Sends and receives in all modes and ways, on one communicator.
void point_to_point(Run& run, const Comm& comm);

/// Room that buffered sends need in one phase of one thread.
constexpr long most_buffered = 40000, most_buffered_messages = 16;

}  // namespace twins
