// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/memory/exports.hpp"
#include "comm/memory/imports.hpp"

namespace aureole::preload {

/// Device memory of this process that others map, and of others that is mapped here. Owners are
/// ranks of MPI_COMM_WORLD.
comm::Exports& exports();
comm::Imports& imports();

}  // namespace aureole::preload
