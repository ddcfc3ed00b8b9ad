// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace aureole::preload {

/// What the environment says.
struct Settings {
    bool is_off = false;  ///< AUREOLE_PRELOAD=off: every call goes to the library as it is
    bool waits_for_device = false;  ///< AUREOLE_MPI_WAIT=device
    bool checks = false;            ///< AUREOLE_MPI_CHECK=1: mistakes of the program are reported
    bool tells = false;             ///< AUREOLE_MPI_LOG=1: one line at the start
    /// Messages from so many bytes on go straight from device to device (AUREOLE_MPI_MAPPED_FROM);
    /// negative: none (off); nothing: see thresholds.hpp.
    std::optional<long> mapped_from;
    bool all_ranks = false;  ///< AUREOLE_MPI_ALL_RANKS=1: each rank of the job has this library
    /// Messages between nodes from so many bytes on go in chunks (AUREOLE_MPI_CHUNKS_FROM);
    /// negative: none (off).
    long chunks_from = 1 << 20;
    long chunk_bytes = 1 << 20;  ///< AUREOLE_MPI_CHUNK_BYTES
    /// Copies of so many bytes or fewer to device memory may be the processor's own, and of fewer
    /// from there (AUREOLE_MPI_SMALL_MAPPED); 0 or negative: none.
    long small_mapped = 8192;
    std::string problem;  ///< a value that is not known; MPI_Init ends the job then
};

/// Read once.
const Settings& settings();

/// Settings::checks, for functions where a call would cost too much.
[[gnu::visibility("hidden")]] extern const bool is_checking;

}  // namespace aureole::preload
