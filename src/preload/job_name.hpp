// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace aureole::preload {

/// A name that all processes of an MPI job on this node have, and no others: from what the launcher
/// put into the environment, or else from the launcher's own process. Empty if neither is known.
std::string job_name();

}  // namespace aureole::preload
