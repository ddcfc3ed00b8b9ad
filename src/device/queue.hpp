// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device/backend.hpp"
#include "device/device.hpp"

namespace aureole::device {

/// A point in a queue's work. Cheap to copy; a default-made one has always been reached. If work
/// before it threw, so do ready() and wait(): the queue's first error, also for later events of the
/// queue and of those that waited for it, until their synchronize() has thrown it.
class Event {
  public:
    Event() = default;
    explicit Event(detail::EventHandle state) : state_(std::move(state)) {}

    bool ready() const { return !state_ || state_->ready(); }
    /// Blocks the calling thread.
    void wait() const {
        if (state_) state_->wait();
    }
    const detail::EventHandle& state() const { return state_; }

  private:
    detail::EventHandle state_;
};

/// Time from one event to a later one [s]; both recorded with Timing::yes, both ready.
double seconds_between(const Event& earlier, const Event& later);

/// Requests to a queue since it was made; a capture counts as if it ran.
struct QueueCounts {
    std::int64_t looks = 0;        ///< times that the host waited for the device
    std::int64_t allocations = 0;  ///< of device memory
    std::int64_t launches = 0;     ///< kernels, primitives, host tasks, and replays of graphs
    std::int64_t items = 0;        ///< of all launches: indices, teams, blocks; 0 for a replay
    std::int64_t copies = 0;       ///< copies and fills
    std::int64_t bytes = 0;        ///< that copies and fills wrote
    std::int64_t events = 0;       ///< recorded

    QueueCounts& operator+=(const QueueCounts& other);
};

/// Work in order, asynchronous to the caller where the device is. Work of two queues is ordered by
/// events alone. May be submitted to from several threads.
class Queue {
  public:
    explicit Queue(Device& device, Priority priority = Priority::normal)
        : Queue(device, QueueOptions{priority}) {}
    Queue(Device& device, QueueOptions options);
    /// Waits for what was enqueued; an error found only then is lost, so synchronize() first.
    ~Queue();
    Queue(Queue&&) noexcept = default;
    Queue& operator=(Queue&&) = delete;

    Event record(Timing timing = Timing::no);
    /// Later work of this queue starts after the event; the caller goes on at once.
    void wait(const Event& event);
    /// Calls f(data) on a thread of the host, in queue order; after an error it may not be called.
    /// It must not throw, touch device memory or use the device layer.
    void call(void (*f)(void*), void* data) { state_->call(f, data); }
    /// Blocks until all is done; throws what the work threw.
    void synchronize();

    QueueCounts counts() const;

    /// Host threads that its kernels use; 1 for those of a GPU.
    int threads() const { return state_->workers ? state_->workers->size() : 1; }

    Device device() const { return Device(state_->device); }
    Backend backend() const { return state_->device->backend; }
    detail::QueueState& state() const { return *state_; }

  private:
    std::shared_ptr<detail::QueueState> state_;
};

/// While it lives, the host may read and write device memory in place: views for Python, checks in
/// tests. Waits for the queue first. Throws core::DeviceError where device memory is not the
/// host's.
class HostAccess {
  public:
    explicit HostAccess(Queue& queue);
    ~HostAccess();
    HostAccess(const HostAccess&) = delete;
    HostAccess& operator=(const HostAccess&) = delete;

  private:
    std::shared_ptr<detail::DeviceState> device_;
};

}  // namespace aureole::device
