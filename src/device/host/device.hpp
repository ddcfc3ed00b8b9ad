// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "device/backend.hpp"
#include "device/device.hpp"
#include "device/host/arena.hpp"
#include "device/host/memory.hpp"

namespace aureole::device::host {

class Turns;
class Alarm;

class HostDevice : public detail::DeviceState, public std::enable_shared_from_this<HostDevice> {
  public:
    explicit HostDevice(const HostOptions& options);
    ~HostDevice() override;

    std::string description() const override;
    std::shared_ptr<detail::QueueState> make_queue(QueueOptions options) override;
    void open_memory() override;
    void close_memory() noexcept override;

    Memory memory;
    std::unique_ptr<Arena> arena;  ///< hostile mode only
    const ClockedOptions clocked;
    std::unique_ptr<Turns> turns;  ///< clocked mode only
    std::unique_ptr<Alarm> alarm;  ///< clocked mode only

  private:
    std::atomic<std::uint64_t> next_seed_;
};

/// Reads AUREOLE_HOSTILE; throws core::InputError for options that make no sense.
std::shared_ptr<detail::DeviceState> make_device(HostOptions options);

}  // namespace aureole::device::host
