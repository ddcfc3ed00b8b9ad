// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preload/handle.hpp"

namespace aureole::preload {

/// The rank in MPI_COMM_WORLD of a rank of another communicator; -1 if it has none there, as in
/// inter-communicators, or is no rank at all.
int world_rank(Handle comm, int rank);

}  // namespace aureole::preload
