// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "device/device.hpp"

namespace aureole::device {

/// The device of a simulation, as users name it.
struct OpenOptions {
    std::string name = "auto";  ///< "auto", "host", "cuda" or "cuda:N"
    int threads = 0;            ///< these three: see HostOptions
    bool pin = true;
    bool hostile = false;
};

/// N of "cuda:N" (or "cuda"), −1 for other names.
int cuda_index(const std::string& name);

/// The name of the device that `options` ask for, once it is open: "host" or "cuda:N".
std::string opened(const OpenOptions& options, Backend backend);

/// Opens the device that `options` ask for. A host has at most `most_threads`.
/// @throws core::InputError where more are asked for
/// @throws core::DeviceError where there is no such device
Device open(const OpenOptions& options, int most_threads);

}  // namespace aureole::device
