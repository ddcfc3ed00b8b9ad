// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/backend.hpp"

namespace aureole::device::cuda {

class CudaDevice : public detail::DeviceState, public std::enable_shared_from_this<CudaDevice> {
  public:
    explicit CudaDevice(int index);
    ~CudaDevice() override;

    std::string description() const override;
    std::shared_ptr<detail::QueueState> make_queue(QueueOptions options) override;
    void open_memory() override;
    void close_memory() noexcept override {}

    /// Makes this device the calling thread's.
    void use() const;

    /// Events are recycled: making one costs more than recording it.
    cudaEvent_t take_event(Timing timing);
    void give_event(cudaEvent_t event, Timing timing) noexcept;

  private:
    int index_;
    std::string name_;
    std::mutex mutex_;
    std::vector<cudaEvent_t> plain_events_, timed_events_;
};

}  // namespace aureole::device::cuda
