// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace aureole::preload {

/// What the environment says.
struct Settings {
    bool is_off = false;  ///< AUREOLE_PRELOAD=off: every call goes to the library as it is
    bool waits_for_device = false;  ///< AUREOLE_MPI_WAIT=device
    bool tells = false;             ///< AUREOLE_MPI_LOG=1: one line at the start
    /// Messages from so many bytes on go straight from device to device (AUREOLE_MPI_MAPPED_FROM);
    /// negative: none (off).
    long mapped_from = 65536;
    std::string problem;  ///< a value that is not known; MPI_Init ends the job then
};

/// Read once.
const Settings& settings();

}  // namespace aureole::preload
