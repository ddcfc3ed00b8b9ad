// SPDX-License-Identifier: Apache-2.0
#include "device/open.hpp"

#include "core/error.hpp"

namespace aureole::device {

int cuda_index(const std::string& name) {
    if (name == "cuda") return 0;
    if (!name.starts_with("cuda:") || name.size() > 8) return -1;
    const auto digits = name.substr(5);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return -1;
    return std::stoi(digits);
}

std::string opened(const OpenOptions& options, Backend backend) {
    return backend == Backend::host ? "host" : "cuda:" + std::to_string(cuda_index(options.name));
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
    const int index = cuda_index(options.name);
    if (index >= 0) return Device::cuda(index);
    throw core::DeviceError("there is no device '" + options.name + "'",
                            "devices are auto, host, cuda:0, cuda:1 and so on",
                            "Run 'aureole doctor' for those of this machine.");
}

}  // namespace aureole::device
