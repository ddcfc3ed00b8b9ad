// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "preload/where.hpp"

namespace aureole::preload {

/// From how many bytes on messages go straight from device to device.
struct Threshold {
    static constexpr long usual = 65536;

    long bytes = usual;            ///< negative: none do
    std::string from = "default";  ///< where the number comes from, for the log
    std::string problem;           ///< why a file was ignored; empty if none was
};

/// The one in force: AUREOLE_MPI_MAPPED_FROM, else that of `aureole mpi --tune`, else the usual
/// one. It is found once, for the first device that the program passes memory of.
const Threshold& threshold(const Allocation& at);

/// The line under which a measured threshold is kept: driver, device, MPI library, processor.
std::string machine(const Allocation& at);

/// The file of thresholds in the user's cache; empty if there is no such folder.
std::string thresholds_path();

/// The threshold of a machine in the text of a file; nothing if it has none for it. Throws
/// core::InputError for a text that is not such a file.
std::optional<long> find_threshold(const std::string& text, const std::string& machine);

}  // namespace aureole::preload
