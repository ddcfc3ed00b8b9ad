// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/resource.hpp"
#include "device/threads/thread_pool.hpp"

namespace aureole::device {

namespace detail {
class DeviceState;
}

/// For tests and benchmarks: a host that stands in for a GPU. Kernels and copies take effect at the
/// call, but the events behind them are due when a device of these times would have done the work.
/// Meanwhile no processor is busy with it. An error is thrown at the call.
struct ClockedOptions {
    int at_once = 0;        ///< queues that are served at a time; 0: the host is not clocked
    double per_launch = 0;  ///< [s]
    double per_item = 0;    ///< of a launch [s]
    double per_copy = 0;    ///< or fill [s]
    double per_byte = 0;    ///< of a copy [s]
};

struct HostOptions {
    /// 0: all that the affinity mask and the control group's quota allow.
    int threads = 0;
    /// Keep workers on their CPUs, where the pool has the whole affinity mask.
    bool pin = true;
    /// For tests: every queue is a thread with random delays and device memory is out of reach
    /// outside kernels and copies. The environment variable AUREOLE_HOSTILE=1 sets it as well.
    bool hostile = false;
    std::uint64_t hostile_seed = 1;
    /// For tests: real threads per team in team_for (a power of two); 0 is one, and in hostile
    /// mode as many as the pool has.
    int team_threads = 0;
    /// Not hostile as well: there AUREOLE_HOSTILE has no effect.
    ClockedOptions clocked = {};
};

/// Where work runs: a processor's threads or a GPU. A handle: copies mean the same device, and
/// everything made from it (queues, buffers) keeps it alive, so the order of destruction is free.
class Device {
  public:
    /// Throws core::InputError for options that make no sense.
    static Device host(HostOptions options = {});
    /// Throws core::DeviceError where there is no such GPU or the build is for none.
    static Device gpu(int index = 0);

    /// One more handle of a device that is there already.
    explicit Device(std::shared_ptr<detail::DeviceState> state);

    Backend backend() const;
    std::string description() const;
    bool hostile() const;
    /// The threads of a host device; throws core::DeviceError on others.
    ThreadPool& threads() const;

    const std::shared_ptr<detail::DeviceState>& state() const { return state_; }

  private:
    std::shared_ptr<detail::DeviceState> state_;
};

/// One line of the table of devices of this machine.
struct DeviceInfo {
    std::string name;         ///< "host", or vendor and number of a GPU
    std::string description;  ///< model and size
    bool available = false;
    std::string why;  ///< if not available
};

/// The host, then GPUs; without any there is one row that says why.
std::vector<DeviceInfo> list_devices();

}  // namespace aureole::device
