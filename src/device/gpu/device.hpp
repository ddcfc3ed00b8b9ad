// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "device/gpu/vendor/runtime.hpp"

namespace aureole::device::gpu {

class GpuDevice : public detail::DeviceState, public std::enable_shared_from_this<GpuDevice> {
  public:
    explicit GpuDevice(int index);
    ~GpuDevice() override;

    std::string description() const override { return name_; }
    std::shared_ptr<detail::QueueState> make_queue(QueueOptions options) override;
    void open_memory() override;
    void close_memory() noexcept override {}

    /// Makes this device the calling thread's.
    void use() const;

    /// Events are recycled: making one costs more than recording it.
    Event take_event(Timing timing);
    void give_event(Event event, Timing timing) noexcept;

    Pool pool;
    /// Most memory of a block [bytes].
    std::size_t block_memory() const { return block_memory_; }

  private:
    int index_;
    std::string name_;
    std::size_t block_memory_ = 0;
    std::mutex mutex_;
    std::vector<Event> plain_events_, timed_events_;
};

}  // namespace aureole::device::gpu
