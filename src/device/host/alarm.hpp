// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "device/host/queue.hpp"

namespace aureole::device::host {

/// Calls functions when they are due, one after the other, on a thread that the first one starts.
class Alarm {
  public:
    /// Calls what is left first.
    ~Alarm();
    void add(Clock::time_point due, std::function<void()> f);

  private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::multimap<Clock::time_point, std::function<void()>> calls_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace aureole::device::host
