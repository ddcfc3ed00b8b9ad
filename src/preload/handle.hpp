// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace aureole::preload {

/// A handle of MPI as it travels in a register: an int in MPICH's binary interface, a pointer in
/// Open MPI's and in the standard's. In a register the upper half of an int is undefined: `own` of
/// Abi makes handles comparable.
using Handle = std::intptr_t;
/// MPI_Count, MPI_Aint and MPI_Offset.
using Count = std::int64_t;

}  // namespace aureole::preload
