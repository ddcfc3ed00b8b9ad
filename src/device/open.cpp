// SPDX-License-Identifier: Apache-2.0
#include "device/open.hpp"

#include <string_view>

#include "core/error.hpp"
#include "device/config.hpp"
#include "device/gpu/vendor/names.hpp"

namespace aureole::device {

namespace {

/// What comes before the number of a GPU's name: "gpu" or a vendor's; empty for other names.
std::string_view kind_of(std::string_view name) {
    const std::string_view kind = name.substr(0, name.find(':'));
    if (kind == "gpu") return kind;
    for (const gpu::Vendor& vendor : gpu::vendors)
        if (kind == vendor.name) return vendor.name;
    return {};
}

std::string purpose() { return has_gpu ? std::string(gpu::vendor_of(gpu_vendor).gpus) : "no GPUs"; }

}  // namespace

int gpu_index(std::string_view name) {
    const std::string_view kind = kind_of(name);
    if (kind.empty()) return -1;
    if (kind == name) return 0;
    const std::string_view digits = name.substr(kind.size() + 1);
    if (digits.empty() || digits.size() > 3) return -1;
    if (digits.find_first_not_of("0123456789") != digits.npos) return -1;
    return std::stoi(std::string(digits));
}

std::string opened(const OpenOptions& options, Backend backend) {
    if (backend == Backend::host) return "host";
    return std::string(gpu_vendor) + ":" + std::to_string(gpu_index(options.name));
}

Device open(const OpenOptions& options, int most_threads) {
    if (options.name == "auto" || options.name == "host") {
        HostOptions host{
            .threads = options.threads, .pin = options.pin, .hostile = options.hostile};
        Device device = Device::host(host);
        if (device.threads().size() <= most_threads) return device;
        const auto most = std::to_string(most_threads);
        if (options.threads > 0)
            throw core::InputError(std::to_string(options.threads) + " threads are too many",
                                   "one simulation uses at most " + most,
                                   "Ask for " + most + " or fewer.");
        host.threads = most_threads;
        return Device::host(host);
    }
    const int index = gpu_index(options.name);
    if (index < 0)
        throw core::DeviceError("there is no device '" + options.name + "'",
                                "devices are auto, host, and gpu with a number, as gpu:0",
                                "Run 'aureole doctor' for those of this machine.");
    const std::string_view kind = kind_of(options.name);
    if (kind == "emulated" && gpu_vendor != kind)
        throw core::DeviceError(
            "device " + options.name + " is not available", "this build is for " + purpose(),
            "Emulated GPUs are for tests of kernels, as docs/howto/add-a-kernel.md "
            "says; choose device \"host\".");
    if (!has_gpu || (kind != "gpu" && kind != gpu_vendor))
        throw core::DeviceError(
            "device " + options.name + " is not available", "this build is for " + purpose(),
            std::string("Choose ") + (has_gpu ? "device \"gpu\" or \"host\"" : "device \"host\"") +
                ", or build for the GPUs of this machine, as in docs/howto/run-on-a-gpu.md: "
                "pip install . -C cmake.define.AUREOLE_GPU=" +
                std::string(kind == "gpu" ? gpu::vendors[0].name : kind));
    return Device::gpu(index);
}

}  // namespace aureole::device
