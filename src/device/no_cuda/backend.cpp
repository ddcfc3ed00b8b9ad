// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/backend.hpp"

#include <string>

#include "core/error.hpp"

namespace aureole::device::cuda {

namespace {
constexpr const char* why = "this build has no CUDA backend";
}

std::shared_ptr<detail::DeviceState> make_device(int index) {
    throw core::DeviceError(
        "device cuda:" + std::to_string(index) + " is not available", why,
        "Choose device \"host\", or build with CUDA, as in docs/howto/run-on-a-gpu.md: "
        "pip install . -C cmake.define.AUREOLE_CUDA=ON");
}

std::vector<DeviceInfo> list_devices() { return {{"cuda:0", "", false, why}}; }

}  // namespace aureole::device::cuda
