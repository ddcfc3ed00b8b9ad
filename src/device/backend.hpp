// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "device/resource.hpp"
#include "device/threads/thread_pool.hpp"
#include "device/view.hpp"

// What a backend implements. Users of the layer see Device, Queue, Event, Buffer and Graph only.

namespace aureole::device {

class Device;

namespace detail {

class QueueState;

class EventState {
  public:
    virtual ~EventState() = default;
    virtual bool ready() const = 0;
    virtual void wait() const = 0;
    /// Time from `earlier` to this event [s]; both timed, both ready, of the same backend.
    virtual double seconds_since(const EventState& earlier) const = 0;
};
using EventHandle = std::shared_ptr<EventState>;

/// A recorded run of commands.
class GraphState {
  public:
    virtual ~GraphState() = default;
    virtual void replay(QueueState& queue) = 0;
};

class DeviceState {
  public:
    explicit DeviceState(Backend which) : backend(which) {}
    virtual ~DeviceState() = default;
    virtual std::string description() const = 0;
    virtual std::shared_ptr<QueueState> make_queue(QueueOptions options) = 0;
    /// Lets the host touch device memory until close_memory(); throws where it never can.
    virtual void open_memory() = 0;
    virtual void close_memory() noexcept = 0;

    const Backend backend;
    bool hostile = false;
    int team_threads = 1;
    std::unique_ptr<ThreadPool> pool;  ///< host only
};

/// A command of a host queue.
using Task = std::function<void(ThreadPool&)>;

class QueueState : public std::enable_shared_from_this<QueueState> {
  public:
    explicit QueueState(std::shared_ptr<DeviceState> owner) : device(std::move(owner)) {}
    virtual ~QueueState() = default;

    virtual EventHandle record(Timing timing) = 0;
    virtual void wait(const EventHandle& event) = 0;
    virtual void synchronize() = 0;
    virtual void call(void (*f)(void*), void* data) = 0;

    virtual void* allocate(std::size_t bytes, Resource resource) = 0;
    virtual void release(void* memory, std::size_t bytes, Resource resource) noexcept = 0;

    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    virtual void copy_from_host(void* to, const void* from, std::size_t bytes) = 0;
    virtual void copy_to_host(void* to, const void* from, std::size_t bytes) = 0;
    /// `count` copies of the `bytes`-long pattern.
    virtual void fill(void* to, const void* pattern, std::size_t bytes, std::int64_t count) = 0;
    virtual void exclusive_scan(View<const std::int32_t> in, View<std::int32_t> out) = 0;
    virtual void sort_by_key(View<std::uint32_t> keys, View<std::int32_t> values, int key_bits) = 0;

    virtual void begin_capture() = 0;
    virtual std::shared_ptr<GraphState> end_capture() = 0;
    /// Ends a capture that failed; what was recorded is dropped.
    virtual void drop_capture() noexcept = 0;

    /// Host queues: enqueues a command.
    virtual void submit(const char* name, Task task) = 0;
    /// The backend's own handle of the queue: a GPU's stream.
    virtual void* native() { return nullptr; }

    /// For work that is enqueued: host queues that run it at the call count in on_host().
    void count_launch(std::int64_t items) {
        counted.launches.fetch_add(1, std::memory_order_relaxed);
        counted.items.fetch_add(items, std::memory_order_relaxed);
    }
    void count_copy(std::size_t bytes) {
        counted.copies.fetch_add(1, std::memory_order_relaxed);
        counted.bytes.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    }

    /// Counters of queue.hpp's QueueCounts.
    struct {
        std::atomic<std::int64_t> looks{0}, allocations{0}, launches{0}, items{0}, copies{0},
            bytes{0}, events{0};
    } counted;

    const std::shared_ptr<DeviceState> device;
    /// Host queues: the threads of its kernels.
    ThreadPool* workers = nullptr;
    /// Host queues: whether a command runs at the call (neither hostile nor capturing).
    bool immediate = false;
    /// Host queues: keeps commands of several submitting threads in order.
    std::recursive_mutex order;
};

}  // namespace detail
}  // namespace aureole::device
