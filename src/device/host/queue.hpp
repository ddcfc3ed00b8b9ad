// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "device/backend.hpp"
#include "device/host/device.hpp"

namespace aureole::device::host {

using Clock = std::chrono::steady_clock;

/// A command as recorded: its name and work.
struct Command {
    const char* name;
    detail::Task task;
};

class HostQueue;

/// Commands recorded from one queue, and from those that joined it by waiting for its events.
class Capture : public detail::GraphState {
  public:
    void replay(detail::QueueState& queue) override;
    std::vector<Command> commands;
    std::vector<std::weak_ptr<detail::QueueState>> members;
    const std::thread::id thread = std::this_thread::get_id();  ///< that records
};

/// Base of the two kinds of host queue: copies and primitives as commands, and capture.
class HostQueue : public detail::QueueState {
  public:
    /// `threads`: of a pool of its own; 0: the device's pool.
    HostQueue(std::shared_ptr<HostDevice> owner, int threads);

    void copy(void* to, const void* from, std::size_t bytes) override;
    void fill(void* to, const void* pattern, std::size_t bytes, std::int64_t count) override;
    void exclusive_scan(View<const std::int32_t> in, View<std::int32_t> out) override;
    void sort_by_key(View<std::uint32_t> keys, View<std::int32_t> values, int key_bits) override;

    detail::EventHandle record(Timing timing) final;
    void wait(const detail::EventHandle& event) final;
    void call(void (*f)(void*), void* data) override;
    void begin_capture() override;
    std::shared_ptr<detail::GraphState> end_capture() override;
    void drop_capture() noexcept override;
    void submit(const char* name, detail::Task task) final;
    /// Whether a step is being recorded from it.
    /// From any thread.
    bool records() const { return records_.load(std::memory_order_relaxed); }

  protected:
    virtual void enqueue(const char* name, detail::Task task) = 0;
    virtual detail::EventHandle record_now(Timing timing) = 0;
    virtual void wait_now(const detail::EventHandle& event) = 0;
    /// Throws std::logic_error inside a capture.
    void not_in_capture(const char* what) const;

    HostDevice& host_;

  private:
    /// Whether in a capture; throws std::logic_error if it is of another thread.
    bool capturing() const;
    template <class Work>
    void run(const char* name, Work work);
    void join(std::shared_ptr<Capture> capture);
    void leave() noexcept;

    std::unique_ptr<ThreadPool> own_pool_;
    std::shared_ptr<Capture> capture_;
    std::atomic<bool> records_{false};
    bool was_immediate_ = false;
};

/// The normal host queue: a command runs at the call.
class ImmediateQueue : public HostQueue {
  public:
    ImmediateQueue(std::shared_ptr<HostDevice> owner, int threads)
        : HostQueue(std::move(owner), threads) {
        immediate = true;
    }
    void synchronize() override { not_in_capture("synchronize"); }
    void* allocate(std::size_t bytes, Resource resource) override;
    void release(void* memory, std::size_t bytes, Resource resource) noexcept override;
    void copy_from_host(void* to, const void* from, std::size_t bytes) override;
    void copy_to_host(void* to, const void* from, std::size_t bytes) override;

  private:
    void enqueue(const char* name, detail::Task task) override;
    detail::EventHandle record_now(Timing timing) override;
    void wait_now(const detail::EventHandle& event) override { event->wait(); }
};

}  // namespace aureole::device::host
