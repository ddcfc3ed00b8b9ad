// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "preload/handle.hpp"

namespace aureole::preload {

/// The rank in MPI_COMM_WORLD of a rank of another communicator; -1 if it has none there, as in
/// inter-communicators, or is no rank at all.
int world_rank(Handle comm, int rank);

/// The same for all ranks of a communicator; empty if any has none there.
std::vector<int> world_ranks(Handle comm);

/// Rank and size in a communicator; -1 and 0 if it is none.
int rank_in(Handle comm);
int size_in(Handle comm);

/// Rank and size in a communicator of one group; false if it has two, or is none.
bool ranks_of(Handle comm, int& rank, int& size);

}  // namespace aureole::preload
