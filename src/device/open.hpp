// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "device/device.hpp"

namespace aureole::device {

/// The device of a simulation, as users name it.
struct OpenOptions {
    std::string name = "auto";  ///< "auto", "host", or a GPU: gpu_index()
    int threads = 0;            ///< these three: see HostOptions
    bool pin = true;
    bool hostile = false;
};

/// N of a GPU's name, "gpu:N" or with a vendor for "gpu", 0 where there is none; −1 for other
/// names.
int gpu_index(std::string_view name);

/// The name of the device that `options` ask for, once it is open: "host", or vendor and number.
std::string opened(const OpenOptions& options, Backend backend);

/// Opens the device that `options` ask for. A host has at most `most_threads`.
/// @throws core::InputError where more are asked for
/// @throws core::DeviceError where there is no such device
Device open(const OpenOptions& options, int most_threads);

}  // namespace aureole::device
