// SPDX-License-Identifier: Apache-2.0
#include "device/device.hpp"

#include <utility>

#include "core/error.hpp"
#include "device/backend.hpp"
#include "device/gpu/backend.hpp"
#include "device/host/device.hpp"
#include "device/threads/cpu_limits.hpp"

namespace aureole::device {

Device::Device(std::shared_ptr<detail::DeviceState> state) : state_(std::move(state)) {}

Device Device::host(HostOptions options) { return Device(host::make_device(options)); }

Device Device::gpu(int index) { return Device(gpu::make_device(index)); }

Backend Device::backend() const { return state_->backend; }

std::string Device::description() const { return state_->description(); }

bool Device::hostile() const { return state_->hostile; }

ThreadPool& Device::threads() const {
    if (!state_->pool)
        throw core::DeviceError("this device has no host threads", "it is " + description(),
                                "Use a host device for work on threads.");
    return *state_->pool;
}

std::vector<DeviceInfo> list_devices() {
    std::vector<DeviceInfo> rows;
    const int threads = usable_threads();
    rows.push_back(
        {"host",
         cpu_name() + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"),
         true, ""});
    for (DeviceInfo& row : gpu::list_devices()) rows.push_back(std::move(row));
    return rows;
}

}  // namespace aureole::device
