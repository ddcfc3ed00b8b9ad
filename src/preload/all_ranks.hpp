// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preload/handle.hpp"

namespace aureole::preload {

/// Duplicates MPI_COMM_WORLD, where the user has said that all ranks have this library: ranks that
/// do not take part are waited for. After 10 s a line says what may be wrong.
Handle duplicate_world();

}  // namespace aureole::preload
