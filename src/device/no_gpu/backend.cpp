// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/backend.hpp"

#include <string>

#include "core/error.hpp"

namespace aureole::device::gpu {

namespace {
constexpr const char* why = "this build is for no GPUs";
}

std::shared_ptr<detail::DeviceState> make_device(int index) {
    throw core::DeviceError("device gpu:" + std::to_string(index) + " is not available", why,
                            "Choose device \"host\", or build for the GPUs of this machine, as in "
                            "docs/howto/run-on-a-gpu.md");
}

std::vector<DeviceInfo> list_devices() { return {{"gpu:0", "", false, why}}; }

}  // namespace aureole::device::gpu
