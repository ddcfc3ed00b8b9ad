// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace aureole::preload {

/// What the environment says.
struct Settings {
    bool is_off = false;  ///< AUREOLE_PRELOAD=off: every call goes to the library as it is
    bool waits_for_device = false;  ///< AUREOLE_MPI_WAIT=device
    bool tells = false;             ///< AUREOLE_MPI_LOG=1: one line at the start
    std::string problem;            ///< a value that is not known; MPI_Init ends the job then
};

/// Read once.
const Settings& settings();

}  // namespace aureole::preload
