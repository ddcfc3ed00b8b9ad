// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "drivers/exports.hpp"
#include "drivers/imports.hpp"

namespace aureole::preload {

/// Device memory of this process that others map, and of others that is mapped here. Owners are
/// ranks of MPI_COMM_WORLD.
drivers::Exports& exports();
drivers::Imports& imports();

}  // namespace aureole::preload
