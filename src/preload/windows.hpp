// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "preload/call.hpp"

namespace aureole::preload {

/// After a one-sided call (MPI_Put and alike) with a buffer in device memory: its copy stays until
/// the program synchronises with the target, and then what was fetched is written.
int keep_until_synchronised(std::unique_ptr<Call>& call, int error, Handle window, int target);

}  // namespace aureole::preload
