// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace aureole::comm {

/// A process as the system sees it.
struct ProcessState {
    char state;             ///< as in /proc/<pid>/stat: R, S, D, T, Z, …
    std::uint64_t started;  ///< since the system's start [clock ticks]
};

/// None if there is no such process.
std::optional<ProcessState> state_of(std::int32_t process);
std::optional<ProcessState> parse_stat(const std::string& text);
/// The machine, and the container on it, whose processes this one sees.
std::string machine_name();

}  // namespace aureole::comm
