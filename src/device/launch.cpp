// SPDX-License-Identifier: Apache-2.0
#include "device/launch.hpp"

#include <string>

#include "core/error.hpp"

namespace aureole::device::detail {

void refuse(const Queue& queue, const char* kernel) {
    throw core::DeviceError("\"" + std::string(kernel) + "\" cannot run on this device",
                            "it has no version for " + queue.state().device->description(),
                            "Choose device \"host\".");
}

}  // namespace aureole::device::detail
