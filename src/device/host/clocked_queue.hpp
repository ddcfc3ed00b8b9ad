// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "device/host/queue.hpp"

namespace aureole::device::host {

/// When the queues of a clocked device are served, so many at a time, in the order of their asking.
class Turns {
  public:
    explicit Turns(int at_once) : free_(static_cast<std::size_t>(at_once)) {}
    /// When work ends that may begin at `from` and takes `time`.
    Clock::time_point take(Clock::time_point from, Clock::duration time);

  private:
    std::mutex mutex_;
    std::vector<Clock::time_point> free_;  ///< from when on each server is
};

/// A queue that stands in for one of a GPU: commands run at the call, but its events are due when
/// a device with the times of ClockedOptions would have done what was enqueued before them. What
/// lies between two events, or waits, is served in one turn.
class ClockedQueue final : public ImmediateQueue {
  public:
    using ImmediateQueue::ImmediateQueue;

    void synchronize() override;
    void call(void (*f)(void*), void* data) override;
    void copy_to_host(void* to, const void* from, std::size_t bytes) override;

  private:
    detail::EventHandle record_now(Timing timing) override;
    void wait_now(const detail::EventHandle& event) override;
    /// Takes a turn for what was enqueued since the last one; when all of the queue is done: the
    /// clock's beginning if none took any time. Under the lock `order`.
    Clock::time_point due();

    Clock::time_point end_;  ///< of its last turn
    std::int64_t calls_ = 0;
    const std::shared_ptr<std::atomic<std::int64_t>> called_ =
        std::make_shared<std::atomic<std::int64_t>>(0);
    std::int64_t launches_ = 0, items_ = 0, copies_ = 0, bytes_ = 0;  ///< that had their turns
};

}  // namespace aureole::device::host
