// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"

namespace aureole::device::gpu {

/// Throws core::DeviceError where the GPU is absent or the build is for no GPUs.
std::shared_ptr<detail::DeviceState> make_device(int index);

std::vector<DeviceInfo> list_devices();

}  // namespace aureole::device::gpu
